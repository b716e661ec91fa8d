/** Writes tables as Parquet: a row group for each group of rows. */
import { ByteWriter, ParquetWriter } from "hyparquet-writer";
import type { CellType, Column } from "./downloads_schema.ts";
import type { Table, Values } from "./row_groups.ts";
import type { Yield } from "./text_files.ts";

type Schema = ConstructorParameters<typeof ParquetWriter>[0]["schema"];
type SchemaElement = Schema[number];
type ColumnData = Parameters<ParquetWriter["write"]>[0]["columnData"][number];

/** The physical and the logical type of each type of cells. */
const TYPES: Readonly<
  Record<CellType, Pick<SchemaElement, "type" | "converted_type">>
> = {
  integer: { type: "INT64" },
  number: { type: "DOUBLE" },
  boolean: { type: "BOOLEAN" },
  date: { type: "INT32", converted_type: "DATE" },
  instant: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
};

/**
 * Columns with statistics, by which readers choose row groups. Statistics of all
 * columns would double the footer, which every reader reads.
 */
const SOUGHT: readonly string[] = ["chainId", "day"];

/** First size of the buffer: the files of most years fit, so that it is not copied. */
const BUFFER_BYTES = 2 ** 20;

/** Writes a table as Parquet. */
export async function writeParquet(
  { columns, groups }: Table,
  rest: Yield,
): Promise<Uint8Array<ArrayBuffer>> {
  const writer = new ByteWriter(BUFFER_BYTES);
  const file = new ParquetWriter({
    writer,
    schema: schemaOf(columns),
    createdBy: "firn",
  });
  for (const { rows, values } of groups()) {
    file.write({
      columnData: columns.map((column, nth): ColumnData => ({
        name: column.name,
        data: dataOf(column, values[nth]!),
        statistics: SOUGHT.includes(column.name),
        offsetIndex: false,
      })),
      rowGroupSize: rows,
    });
    await rest();
  }
  file.finish();
  return writer.getBytes() as Uint8Array<ArrayBuffer>;
}

function schemaOf(columns: readonly Column[]): Schema {
  return [
    { name: "root", num_children: columns.length },
    ...columns.map(({ name, type, isNullable }): SchemaElement => ({
      name,
      ...TYPES[type],
      repetition_type: isNullable ? "OPTIONAL" : "REQUIRED",
    })),
  ];
}

function dataOf(
  { type, isNullable }: Column,
  values: Values,
): ColumnData["data"] {
  if (!(values instanceof Float64Array)) {
    return values.map((text) => text ?? undefined);
  }
  if (type === "number" && !isNullable) return values;
  const write = WRITERS[type];
  return Array.from(
    values,
    (value) => Number.isNaN(value) ? undefined : write(value),
  );
}

const asIs = (value: number) => value;

/** The value of a cell as the writer expects it. */
const WRITERS: Readonly<
  Record<CellType, (value: number) => number | bigint | boolean>
> = {
  integer: BigInt,
  number: asIs,
  boolean: (value) => value === 1,
  date: asIs,
  instant: BigInt,
  text: asIs,
};
