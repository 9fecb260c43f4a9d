import { replaced } from '#engine/duckdb/replaced.ts';
import { duck, type Sql } from '#platform/duckdb/sql.ts';

/** Writes a text with markup as a CDATA section, as feeds with HTML do: escaping every angle bracket takes ten times longer. */
export function inSection(text: Sql): Sql {
  return duck`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN '<![CDATA[' || ${text} || ']]>' ELSE ${text} END`;
}

/** Escapes markup where CDATA cannot be used: in an encoding that lacks characters, which are written as references. */
export function inReferences(text: Sql): Sql {
  return duck`CASE WHEN contains(${text}, '<') OR contains(${text}, '&') THEN ${markup(text)} ELSE ${text} END`;
}

/** Escapes the few texts that no CDATA section can hold. */
export function escaped(text: Sql): Sql {
  return replacedIn(markup(text), [[duck`chr(13)`, duck`'&#13;'`]]);
}

/** Replaces one character after the other, the ampersand first, so that the ampersands of later references stay. */
const replacedIn = (text: Sql, pairs: readonly (readonly [Sql, Sql])[]): Sql =>
  pairs.reduce((so, [from, to]) => replaced(so, from, to), text);

export const ampersandAndLess = (text: Sql) =>
  replacedIn(text, [
    [duck`'&'`, duck`'&amp;'`],
    [duck`'<'`, duck`'&lt;'`],
  ]);
export const markup = (text: Sql) => replaced(ampersandAndLess(text), duck`'>'`, duck`'&gt;'`);

/** A text as an attribute's value: a reader would turn line ends and tabs into blanks. */
export function inAttribute(text: Sql): Sql {
  return replacedIn(markup(text), [
    [duck`'"'`, duck`'&quot;'`],
    [duck`chr(13)`, duck`'&#13;'`],
    [duck`chr(10)`, duck`'&#10;'`],
    [duck`chr(9)`, duck`'&#9;'`],
  ]);
}

/** Escapes one of the program's own texts (a title) for XML. */
export const escapeText = (text: string) =>
  text
    // oxlint-disable-next-line no-control-regex -- exactly the characters that XML forbids
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\r', '&#13;');

/** Characters with which an XML 1.0 name may begin, except the colon, and those that may follow. */
const begins = String.raw`A-Z_a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c\u200d\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\u{10000}-\u{effff}`;
const follows = String.raw`\-.0-9\u00b7\u0300-\u036f\u203f\u2040`;
const foreign = new RegExp(`[^${begins}${follows}]`, 'gu');
const beginning = new RegExp(`^(?=[^${begins}])`, 'u');

/**
 * A field's name as an element name: characters that XML does not allow become '_'; with `narrow` also those that an 8-bit
 * encoding may lack, since a name cannot contain references.
 */
export function elementName(field: string, fallback: string, narrow: boolean): string {
  const known = narrow ? field.replaceAll(/[^\u0020-\u00ff]/gu, '_') : field;
  const clean = known.trim().replaceAll(foreign, '_').replace(beginning, '_');
  return clean === '' || clean === '_' ? fallback : clean;
}
