import { isOwnPath } from '#shared/values/own-path.ts';

/** The place of a child component in its parent's HTML. `inputs`: the props that the parent decides. */
export class ChildSlot {
  readonly name: string;
  readonly id: string;
  readonly inputs: Readonly<Record<string, unknown>>;

  constructor(name: string, id: string, inputs: Readonly<Record<string, unknown>>) {
    if (!/^[a-z][a-z0-9-]{0,40}$/.test(id)) throw new Error(`not a valid child id: ${id}`);
    this.name = name;
    this.id = id;
    this.inputs = inputs;
  }
}

/** HTML in which all inserted text is escaped; only the tag `html` creates it. */
export class Html {
  readonly parts: readonly (string | ChildSlot)[];

  private constructor(parts: readonly (string | ChildSlot)[]) {
    this.parts = parts;
  }

  /** Only for the tag `html`. */
  static of(parts: readonly (string | ChildSlot)[]): Html {
    return new Html(parts);
  }
}

type Insert = string | number | Html | ChildSlot | null | undefined | false | readonly Insert[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => escapes[sign] ?? '');

/**
 * Makes HTML from a template. Inserted values are escaped, in texts and in quoted attributes; `null`, `undefined` and `false`
 * insert nothing. Places where escaping does not help throw: unquoted attributes, event handlers, and addresses that are no own
 * paths.
 */
export function html(texts: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  const parts: (string | ChildSlot)[] = [];
  for (const [at, text] of texts.entries()) {
    parts.push(text);
    if (at === inserts.length) break;
    const insert = inserts[at];
    refuseUnsafePlace(text, insert);
    parts.push(...partsOf(insert));
  }
  return Html.of(parts);
}

function partsOf(insert: Insert): readonly (string | ChildSlot)[] {
  if (insert === null || insert === undefined || insert === false) return [];
  if (typeof insert === 'string' || typeof insert === 'number') return [escapeHtml(String(insert))];
  if (insert instanceof ChildSlot) return [insert];
  if (insert instanceof Html) return insert.parts;
  return insert.flatMap(partsOf);
}

function refuseUnsafePlace(before: string, insert: Insert): void {
  if (/=\s*$/.test(before)) throw new Error('attribute values must be quoted');
  if (/\bon\w+\s*=\s*["'][^"']*$/i.test(before)) throw new Error('event handlers are not allowed in HTML');
  if (
    /\b(?:href|src|action|formaction)\s*=\s*["']$/i.test(before) &&
    !(typeof insert === 'string' && isOwnPath(insert))
  )
    throw new Error('a live component may link only to own paths');
}
