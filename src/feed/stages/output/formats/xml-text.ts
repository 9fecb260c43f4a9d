import { replaced } from '#engine/duckdb/replaced.ts';
import { duck, type Sql } from '#platform/duckdb/sql.ts';

/** A text with markup goes out in a CDATA section, as feeds with HTML do: escaping its every angle bracket costs ten times more. */
export function inSection(text: Sql): Sql {
  return duck`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN '<![CDATA[' || ${text} || ']]>' ELSE ${text} END`;
}

/** The same where a CDATA section may not be: in an encoding that lacks characters, which stand as references. */
export function inReferences(text: Sql): Sql {
  return duck`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN ${markup(text)} ELSE ${text} END`;
}

/** For the few texts that no CDATA section can hold. */
export function escaped(text: Sql): Sql {
  return replacedIn(markup(text), [[duck`chr(13)`, duck`'&#13;'`]]);
}

/** One character after the other, the ampersand first: those that come with the others stay. */
const replacedIn = (text: Sql, pairs: readonly (readonly [Sql, Sql])[]): Sql =>
  pairs.reduce((so, [from, to]) => replaced(so, from, to), text);

export const ampersandAndLess = (text: Sql) =>
  replacedIn(text, [
    [duck`'&'`, duck`'&amp;'`],
    [duck`'<'`, duck`'&lt;'`],
  ]);
export const markup = (text: Sql) => replaced(ampersandAndLess(text), duck`'>'`, duck`'&gt;'`);

/** A text as an attribute's value: a reader would make blanks of line ends and tabs. */
export function inAttribute(text: Sql): Sql {
  return replacedIn(markup(text), [
    [duck`'"'`, duck`'&quot;'`],
    [duck`chr(13)`, duck`'&#13;'`],
    [duck`chr(10)`, duck`'&#10;'`],
    [duck`chr(9)`, duck`'&#9;'`],
  ]);
}

/** A text of our own program's side (a title) as XML. */
export const escapeText = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- exactly the characters that XML forbids
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');

/** What XML 1.0 lets a name begin with, but for the colon, and what else may follow. */
const begins = String.raw`A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`;
const follows = String.raw`\-.0-9\u00b7\u0300-\u036f\u203f\u2040`;
const foreign = new RegExp(`[^${begins}${follows}]`, 'gu');
const beginning = new RegExp(`^(?=[^${begins}])`, 'u');

/**
 * A field's name as an element: what XML does not allow becomes '_', and with `narrow` what an 8-bit encoding may lack, since
 * no reference may stand in a name.
 */
export function elementName(field: string, fallback: string, narrow: boolean): string {
  const known = narrow ? field.replaceAll(/[^\u0020-\u00ff]/gu, '_') : field;
  const clean = known.trim().replaceAll(foreign, '_').replace(beginning, '_');
  return clean === '' || clean === '_' ? fallback : clean;
}
