/** A program of a user of the SDK, whose types are checked. */
import { Firn, FirnError, type Metrics, type Point } from "@firn/sdk";
import { type Recover, verifyAttestation } from "@firn/sdk/attestation";

const recover: Recover = ({ message, signature }) =>
  Promise.resolve(`${message.subject}${signature.length}`);

async function main(baseUrl: string, subject: string): Promise<Point[]> {
  const firn = new Firn({ baseUrl, apiKey: undefined });
  const answer: Metrics = await firn.metrics({ range: "30d", to: undefined });
  const days: Point[] = [...answer.series];
  for await (const point of firn.metrics({ range: "all" })) days.push(point);
  try {
    const signed = await firn.signed(subject);
    const signers = await firn.signers();
    const options = { signers, subject, recover };
    const { isValid } = await verifyAttestation(signed, options);
    return isValid ? days : [];
  } catch (error) {
    if (!(error instanceof FirnError)) throw error;
    // @ts-expect-error: a code that no answer has
    return error.code === "NONE" ? [] : days;
  }
}

main("https://firn.example", `0x${"ab".repeat(20)}`);
