/** The descriptions of answers say what the tables of the model are. */
import { assert, assertEquals } from "@std/assert";
import { SignedAnswer } from "../../../services/attestations/attestations_schema.ts";
import {
  MODEL_TABLES,
  ScoreRead,
} from "../../../services/model/scores_schema.ts";
import {
  BatchAnswer,
  HistoryAnswer,
} from "../../../services/model/score_lists_schema.ts";
import { tablesHashOf } from "../../../services/model/model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";

Deno.test("the hash of the model's tables is the one in the description of every answer's model", () => {
  assertEquals(
    tablesHashOf(S4_2026_3),
    MODEL_TABLES,
    "the tables changed: give the model a new id, or, before its release, update this hash",
  );
  for (const answer of [ScoreRead, BatchAnswer, HistoryAnswer, SignedAnswer]) {
    assert(answer.shape.model.description?.includes(MODEL_TABLES));
  }
});
