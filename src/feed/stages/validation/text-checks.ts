import { join, duck, type Sql } from '#platform/duckdb/sql.ts';
import type { ChannelField } from '#shared/channels/schema.ts';
import { isPlaceholder } from '#engine/duckdb/placeholders.ts';
import { tellsPlaceholders } from '#shared/channels/placeholders.ts';
import type { Check } from './field-checks.ts';
import { holdsUnusual } from './unusual-characters.ts';

/** No tabs or line ends; of U+0080 to U+009F those that are letters or signs in Windows-1252, which is where they come from. */
const CONTROL = String.raw`[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\x{80}\x{84}\x{85}\x{91}-\x{94}\x{96}\x{97}]`;
/** UTF-8 that was read as Windows-1252 or Latin-1, and characters that were lost permanently. */
const MOJIBAKE = String.raw`\x{fffd}|[\x{c3}\x{c2}][\x{a0}-\x{bf}\x{80}-\x{9f}\x{201a}-\x{2026}\x{152}\x{153}\x{178}\x{17d}\x{17e}\x{20ac}\x{2039}\x{203a}]|\x{e2}[\x{20ac}\x{201a}]`;
/** From this length on, searching for characters one by one is faster than a pattern. */
const LONG = 300;

const TAG = '</?[A-Za-z][^<>]*>|<!--|&(?:[A-Za-z]{2,8}|#[0-9]{1,6}|#x[0-9A-Fa-f]{1,5});';
const CUT_TAG = '<(?:[A-Za-z/!][^<>]*)?$';
/** Content that must not get into other shops' pages: scripts and the like. */
const FOREIGN = ['<script', '<iframe', '<style', '<SCRIPT'];
const PROMOTION =
  '(?i)versandkostenfrei|gratis|kostenlos|jetzt kaufen|free shipping|!!|\\bsale\\b|[0-9] ?% rabatt|top-?angebot';
const titleName = /^(?:g:)?(?:title|titel|name|produktname|bezeichnung|produktbezeichnung|product_?name)$/i;

const holdsAny = (text: Sql, parts: readonly string[]): Sql =>
  duck`(${join(
    parts.map((part) => duck`contains(${text}, ${part})`),
    duck` OR `,
  )})`;

/** `inItem`: whether any text of the item contains an unusual character, if this text was included in that test. */
export function characters(text: Sql, inItem: Sql | undefined, { type, maxLength = LONG }: ChannelField): Check[] {
  const long = type === 'html' || maxLength > LONG;
  const here = long ? holdsUnusual(text) : duck`regexp_matches(${text}, ${`${CONTROL}|${MOJIBAKE}`})`;
  const unusual = inItem ? duck`${inItem} AND ${here}` : here;
  return [
    { kind: 'control', maybe: unusual, holds: duck`regexp_matches(${text}, ${CONTROL})` },
    { kind: 'mojibake', maybe: unusual, holds: duck`regexp_matches(${text}, ${MOJIBAKE})` },
  ];
}

export const html = (text: Sql): Check => ({
  kind: 'html',
  maybe: duck`(contains(${text}, '<') OR contains(${text}, '&'))`,
  holds: duck`regexp_matches(${text}, ${TAG})`,
});

/** A text that was cut within a tag, and one with program content. */
export const brokenHtml = (text: Sql): Check[] => [
  {
    kind: 'broken_html',
    maybe: duck`NOT ends_with(${text}, '>') AND contains(${text}, '<')`,
    holds: duck`regexp_matches(right(${text}, 200), ${CUT_TAG})`,
  },
  { kind: 'foreign_html', holds: holdsAny(text, FOREIGN) },
];

/** If the channel requires a value, a placeholder such as 'keine Angabe' is written as it is. */
export const placeholder = (text: Sql, field: ChannelField): Check[] =>
  tellsPlaceholders(field) ? [{ kind: 'placeholder', ...isPlaceholder(text) }] : [];

/** The style of titles. Short ones may be a brand or a model in capitals. */
export function style(text: Sql, { name }: ChannelField): Check[] {
  if (!titleName.test(name)) return [];
  // Most titles have a small letter near the start, so the second test is rarely needed.
  const capitals = duck`NOT regexp_matches(${text}, '[a-zäöüß]')`;
  return [
    {
      kind: 'capitals',
      maybe: capitals,
      holds: duck`length(${text}) > 15 AND regexp_matches(${text}, '[A-ZÄÖÜ]{4}.*[ -][A-ZÄÖÜ]{4}')`,
    },
    { kind: 'promotion', holds: duck`regexp_matches(${text}, ${PROMOTION})` },
  ];
}
