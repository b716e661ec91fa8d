/** `GET /.well-known/security.txt`: where to report a vulnerability (RFC 9116). */
import { dayAt, startOfDay } from "../../services/platform/days.ts";
import type { AppDeps } from "../http/deps.ts";
import { newRouter } from "../http/router.ts";

/** Days for which the file is valid. The setting is current as long as the service runs. */
const VALID_DAYS = 180;

/** Serves the file if the operator has set a contact. */
export function securityTxt({ now, publicUrl, securityContact }: AppDeps) {
  return newRouter().get("/security.txt", (c) => {
    if (securityContact === null) return c.notFound();
    const until = startOfDay(dayAt(now().getTime()) + VALID_DAYS);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(until).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return c.text(`${lines.join("\n")}\n`, 200, {
      "Cache-Control": "public, max-age=3600",
    });
  });
}
