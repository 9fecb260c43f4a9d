import { basicEntities, htmlEntities } from '#engine/read/html-entities.ts';
import { join, ownNumber, ownText, duck, type Sql } from '#platform/duckdb/sql.ts';
import { filled, once, type Step } from '#engine/duckdb/once.ts';

/** Content that readers never see: scripts, styles, comments. An unclosed one reaches to the end, as in a browser. */
const unseen = String.raw`(?is)<script\b.*?(?:</script\s*>|\z)|<style\b.*?(?:</style\s*>|\z)|<!--.*?(?:-->|\z)`;
/** Elements that begin and end a line. */
const blocks =
  'address|article|aside|blockquote|br|dd|div|dl|dt|fieldset|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|tbody|td|tfoot|th|thead|tr|ul';
/** The end of a tag. An attribute may contain '>' in quotes; a tag cut off at the end is recognised by an attribute. */
const rest = String.raw`(?:[^<>"']|"[^"<]*"|'[^'<]*')*>|[^<>]*>`;
const block = String.raw`</?(?i:${blocks})(?:>|[\s/](?:${rest}))`;
/** Each match costs more than the letters between two, so neighbouring tags are one match. */
const blockRun = `${block}(?: *${block})* *`;
const tag = String.raw`</?[A-Za-z!?](?:${rest})|<[A-Za-z][A-Za-z0-9]*\s+[A-Za-z-]+\s*=[^<>]*$`;

const entity = '&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});';

/**
 * Removes HTML in two steps: no tags, line breaks at the ends of blocks, character references resolved. A '<' that opens no tag
 * stays, and a text without markup is unchanged. NULL if nothing remains.
 */
export const plainTextSteps: readonly Step[] = [unwrapped, plainText];

/** Feeds leave CDATA marks in their texts; read as tags they would remove everything between them. */
function unwrapped(text: Sql): Sql {
  const bare = filled(duck`replace(replace(${text}, '<![CDATA[', ''), ']]>', '')`);
  // In texts with many tags a pattern reaches their second letter faster than `contains`.
  return duck`CASE WHEN regexp_matches(${text}, ${ownText(String.raw`<!\[CDATA\[`)}) THEN ${bare} ELSE ${text} END`;
}

function plainText(text: Sql): Sql {
  const plain = once(
    untagged(text),
    (bare) => duck`CASE WHEN contains(${bare}, '&') THEN ${decoded(bare)} ELSE nullif(${bare}, '') END`,
  );
  return duck`CASE WHEN contains(${text}, '&') OR contains(${text}, '<') THEN ${plain} ELSE ${text} END`;
}

const untagged = (text: Sql): Sql =>
  duck`CASE WHEN regexp_matches(${text}, ${ownText('<[A-Za-z/!?]')}) THEN ${withoutTags(text)} ELSE ${text} END`;

const replaced = (text: Sql, pattern: string, by: Sql) =>
  duck`regexp_replace(${text}, ${ownText(pattern)}, ${by}, 'g')`;
const either = (tests: readonly Sql[]) => join(tests, duck` OR `);

/** Every step first tests whether it is needed: a search costs a tenth of a replacement. */
function withoutTags(text: Sql): Sql {
  const blanks = [9, 10, 12, 13].map((code) => duck`contains(${text}, chr(${ownNumber(code)}))`);
  const mayHide = duck`regexp_matches(${text}, ${ownText('<(?:[sS][cCtT][rRyY]|!--)')})`;
  const seen = duck`CASE WHEN ${mayHide} THEN ${replaced(text, unseen, duck`''`)} ELSE ${text} END`;
  // Each run of line ends and tabs in the source means one blank.
  const flat = replaced(seen, String.raw`[\t\n\r\f]+`, duck`' '`);
  const source = duck`CASE WHEN ${either([mayHide, ...blanks])} THEN ${flat} ELSE ${text} END`;
  const broken = once(replaced(source, blockRun, duck`chr(10)`), (lines) => {
    // No blank can follow a line end directly: it would be part of the match.
    const loose = ['<', '  ', ' \n'].map((one) => duck`contains(${lines}, ${ownText(one)})`);
    return duck`CASE WHEN ${either(loose)} THEN ${tidy(lines)} ELSE ${lines} END`;
  });
  // At most one blank or line end remains at either end.
  return duck`regexp_replace(ltrim(${broken}, ${ownText(' \n')}), ${ownText('[ \n]$')}, '')`;
}

/** Removes tags within lines, and reduces runs of blanks or line ends to one. */
function tidy(lines: Sql): Sql {
  const single = replaced(replaced(lines, tag, duck`''`), '  +', duck`' '`);
  return replaced(duck`replace(${single}, ' ' || chr(10), chr(10))`, String.raw`\n[ \n]+`, duck`chr(10)`);
}

/** HTML entity names with their code points at a fixed distance: a look-up is a search in a short text. */
const names = [...Object.entries(basicEntities), ...htmlEntities]
  .map(([name, character]) => ` ${name}=${String(character.codePointAt(0)).padStart(5, '0')}`)
  .join('');

/** Resolves character references, each once: '&amp;lt;' becomes '&lt;'. Unknown ones stay. */
function decoded(text: Sql): Sql {
  const pattern = ownText(entity);
  const parts = duck`list_zip(string_split_regex(${text}, ${pattern}), regexp_extract_all(${text}, ${pattern}))`;
  return filled(
    duck`array_to_string(list_transform(${parts}, lambda p: p[1] || CASE WHEN p[2] IS NULL THEN '' ELSE coalesce(${character(duck`p[2]`)}, p[2]) END), '')`,
  );
}

/** The characters that browsers show for code points 128 to 159, after Windows-1252; a blank means none. */
const windows = '€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ';

/** NULL for a reference to no character, or to one that a text cannot hold. A no-break space becomes a blank. */
function character(reference: Sql): Sql {
  const digits = (from: number) => duck`substr(${reference}, ${from}, length(${reference}) - ${from})`;
  const matchAt = duck`strpos(${names}, ' ' || ${digits(2)} || '=')`;
  const named = once(
    matchAt,
    (at) => duck`CASE WHEN ${at} > 0 THEN CAST(substr(${names}, ${at} + length(${reference}), 5) AS INTEGER) END`,
  );
  const code = duck`CASE WHEN ${reference}[2] <> '#' THEN ${named}
    WHEN lower(${reference}[3]) = 'x' THEN TRY_CAST('0x' || ${digits(4)} AS INTEGER)
    ELSE TRY_CAST(${digits(3)} AS INTEGER) END`;
  return duck`list_transform(list_value(${code}), lambda n: CASE
    WHEN n IN (9, 10) OR n BETWEEN 32 AND 126 OR n BETWEEN 161 AND 55295 OR n BETWEEN 57344 AND 65533 OR n BETWEEN 65536 AND 1114111 THEN chr(CAST(n AS INTEGER))
    WHEN n BETWEEN 128 AND 159 THEN nullif(substr(${ownText(windows)}, CAST(n AS INTEGER) - 127, 1), ' ')
    WHEN n IN (13, 160) THEN ' ' END)[1]`;
}
