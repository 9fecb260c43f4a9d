import { duck, join, ownNumber, type Sql } from '#platform/duckdb/sql.ts';

const each = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

/**
 * Characters of which every text with a finding about characters has at least one (text-checks.ts), and all that a file kind
 * cannot hold: control characters except tab and line ends, remains of wrong code pages, and two noncharacters of Unicode.
 */
const codes = [...each(0x00, 0x08), 0x0b, 0x0c, ...each(0x0e, 0x1f)].concat(
  0x7f,
  0x80,
  0x84,
  0x85,
  0x91,
  0x92,
  0x93,
  0x94,
  0x96,
  0x97,
  0xc2,
  0xc3,
  0xe2,
  0xfffd,
  0xfffe,
  0xffff,
);

/** Whether a text contains any of them. In a long text, one-by-one searches take two thirds of the time of a pattern. */
export function holdsUnusual(text: Sql): Sql {
  return duck`(${join(
    codes.map((code) => duck`contains(${text}, chr(${ownNumber(code)}))`),
    duck` OR `,
  )})`;
}
