/** What pages are about, in terms of schema.org, for search engines and agents. */

/** Facts of a page, without `@context`. */
type Facts = Readonly<Record<string, unknown>>;

const PROVIDER = { "@type": "Organization", name: "Firn" };

/** Describes the APIs: `WebAPI` with their documentation and machine-readable descriptions. */
export function webApiFacts(publicUrl: string, description: string): Facts {
  const entry = (path: string, contentType: string) => ({
    "@type": "EntryPoint",
    urlTemplate: `${publicUrl}${path}`,
    contentType,
  });
  return {
    "@type": "WebAPI",
    name: "Firn",
    description,
    url: publicUrl,
    documentation: `${publicUrl}/docs`,
    termsOfService: `${publicUrl}/docs/limits`,
    provider: { ...PROVIDER, url: publicUrl },
    isAccessibleForFree: true,
    potentialAction: {
      "@type": "ConsumeAction",
      target: [
        entry("/openapi.json", "application/json"),
        entry("/mcp", "application/json"),
      ],
    },
  };
}
