/** The globals that React Native 0.76 sets, from its own modules. */
import { URL, URLSearchParams } from "./react_native/URL.js";
import {
  AbortController,
  AbortSignal,
} from "abort-controller/dist/abort-controller";

Object.assign(globalThis, {
  URL,
  URLSearchParams,
  AbortController,
  AbortSignal,
});
// It sets fetch, and takes the globals above.
require("whatwg-fetch");
