/**
 * HTML that a policy made. Browsers keep it as an object of their own, those without Trusted Types, and the server, as a text; it is only ever
 * handed on, so it is called a text.
 */
type Policy = { createHTML: (html: string) => string };
type PolicyFactory = {
  createPolicy: (name: string, rules: { createHTML: (html: string) => string | null }) => Policy;
};

declare global {
  // oxlint-disable no-var -- what is declared so is a property of the global object
  var trustedTypes: PolicyFactory | undefined;
  /** zod's settings, before it is loaded. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
  // oxlint-enable no-var
}

/**
 * A policy of the pages; its name stands in their content security policy (platform/http/pages.ts), where a name counts once. `check` gives
 * the HTML that may be parsed, or null: then the browser refuses it.
 */
export function trustedHtml(name: string, check: (html: string) => string | null): (html: string) => string {
  const policy = globalThis.trustedTypes?.createPolicy(name, { createHTML: check });
  return policy === undefined ? (html) => check(html) ?? '' : (html) => policy.createHTML(html);
}

/**
 * To be called before anything else of the page runs.
 *
 * For libraries that write texts as HTML: styles (Mantine) and nothing at all (charts, which empty their places so). Without `<` there is
 * no element in them. The one element is React's, which makes scripts so that never run.
 */
export function allowTexts(): void {
  // It would try whether texts may run as code, which is told as a breach each time.
  globalThis.__zod_globalConfig = { jitless: true };
  trustedHtml('default', (html) => (!html.includes('<') || html === '<script></script>' ? html : null));
}
