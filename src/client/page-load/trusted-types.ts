/**
 * HTML from a policy. Browsers with Trusted Types hold an object of their own; other browsers and the server hold a text. It is
 * only passed on, so its type is string.
 */
type Policy = { createHTML: (html: string) => string };
type PolicyFactory = {
  createPolicy: (name: string, rules: { createHTML: (html: string) => string | null }) => Policy;
};

declare global {
  // oxlint-disable no-var -- only var declares a property of the global object
  var trustedTypes: PolicyFactory | undefined;
  /** zod's settings, read when it is loaded. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
  // oxlint-enable no-var
}

/**
 * Creates a policy of the pages. Its name must be listed in their content security policy (platform/http/pages.ts), and can be
 * used once. `check` returns the HTML that may be parsed, or null: then the browser refuses it.
 */
export function trustedHtml(name: string, check: (html: string) => string | null): (html: string) => string {
  const policy = globalThis.trustedTypes?.createPolicy(name, { createHTML: check });
  return policy === undefined ? (html) => check(html) ?? '' : (html) => policy.createHTML(html);
}

/**
 * Allows the HTML that libraries write; to be called before anything else of the page runs.
 *
 * Mantine writes styles, and the charts write nothing at all to empty their containers: texts without `<` contain no element. The
 * one element is React's, which creates scripts this way so that they never run.
 */
export function allowTexts(): void {
  // zod would otherwise test whether strings may run as code, which is reported as a policy violation each time.
  globalThis.__zod_globalConfig = { jitless: true };
  trustedHtml('default', (html) => (!html.includes('<') || html === '<script></script>' ? html : null));
}
