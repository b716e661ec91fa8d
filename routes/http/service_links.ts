/** Where clients find the descriptions of the APIs (RFC 8631). */

/** The `Link` header of the index of an API. */
export const SERVICE_LINKS = [
  '</openapi.json>; rel="service-desc"; type="application/json"',
  '</docs>; rel="service-doc"; type="text/html"',
].join(", ");
