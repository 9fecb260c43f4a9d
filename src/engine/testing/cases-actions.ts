import { changeIgnoreCase } from '#shared/rules/edits.ts';
import { act, changeCases, type Case, type Fields } from './case.ts';

const value = (text: string | null): Fields => ({ wert: text });
const from = (before: string | null, after: string | null): readonly [Fields, Fields] => [value(before), value(after)];
const count = (text: string) => ({ type: '_number', value: text }) as const;

/** RUL-05: the text actions. */
export const textActionCases: Case[] = [
  ...changeCases('set', [act('wert', 'set', 'Neu')], [from('alt', 'Neu'), from(null, 'Neu')]),
  ...changeCases('set to empty', [act('wert', 'set', '')], [from('alt', null), from(null, null)]),
  ...changeCases(
    'set from a field',
    [act('wert', 'set', { field: 'b' })],
    [
      [
        { wert: 'a', b: 'B' },
        { wert: 'B', b: 'B' },
      ],
      [
        { wert: 'a', b: null },
        { wert: null, b: null },
      ],
    ],
  ),
  ...changeCases('set a new field', [act('neu', 'set', 'x')], [[{ wert: 'a' }, { wert: 'a', neu: 'x' }]]),
  ...changeCases('set from _id', [act('wert', 'set', { field: '_id' })], [from('a', '1')]),
  ...changeCases('set on _id has no effect', [act('_id', 'set', 'x')], [from('a', 'a')]),
  ...changeCases('set without a field', [act('', 'set', 'x')], [from('a', 'a')]),
  ...changeCases('set on all fields has no effect', [act('@ALL@', 'set', 'x')], [from('a', 'a')]),
  ...changeCases('unset on one field has no effect', [act('wert', 'unset')], [from('a', 'a')]),
  ...changeCases('append', [act('wert', 'append', ' neu')], [from('alt', 'alt neu'), from(null, ' neu')]),
  ...changeCases(
    'append from a field',
    [act('wert', 'append', { field: 'b' })],
    [
      [
        { wert: 'a', b: 'B' },
        { wert: 'aB', b: 'B' },
      ],
      [
        { wert: 'a', b: null },
        { wert: 'a', b: null },
      ],
      [
        { wert: null, b: null },
        { wert: null, b: null },
      ],
    ],
  ),
  ...changeCases('append to itself', [act('wert', 'append', { field: 'wert' })], [from('ab', 'abab')]),
  ...changeCases(
    'copy',
    [act('wert', 'copy', { field: 'b' })],
    [
      [
        { wert: 'a', b: 'ß' },
        { wert: 'ß', b: 'ß' },
      ],
      [
        { wert: 'a', b: null },
        { wert: null, b: null },
      ],
    ],
  ),
  ...changeCases(
    'copy with the field name as a string',
    [act('wert', 'copy', 'b')],
    [
      [
        { wert: 'a', b: 'B' },
        { wert: 'B', b: 'B' },
      ],
    ],
  ),
  ...changeCases('copy without a source', [act('wert', 'copy', '')], [from('a', 'a')]),
  ...changeCases('copy an unknown field', [act('wert', 'copy', { field: 'nie' })], [from('a', null)]),
  ...changeCases(
    'combine',
    [act('wert', 'combine', { field: 'marke' }, ' ', { field: 'wert' }, '!')],
    [
      [
        { wert: 'Schuh', marke: 'ACME' },
        { wert: 'ACME Schuh!', marke: 'ACME' },
      ],
      [
        { wert: null, marke: null },
        { wert: ' !', marke: null },
      ],
    ],
  ),
  ...changeCases(
    'combine nothing',
    [act('wert', 'combine', { field: 'b' }, '')],
    [
      [
        { wert: 'a', b: null },
        { wert: null, b: null },
      ],
    ],
  ),
  ...changeCases('combine without parts', [act('wert', 'combine')], [from('a', null)]),
  ...changeCases(
    'replace',
    [act('wert', 'replace', 'rot', 'blau')],
    [from('rot Rot rot', 'blau Rot blau'), from(null, null), from('Brot', 'Bblau')],
  ),
  ...changeCases(
    'replace ignores case',
    [changeIgnoreCase(act('wert', 'replace', 'rot\nGRÜN\n(a+b)', 'blau\n\\1\n$&'), true)],
    [
      from('rot Rot BROT', 'blau blau Bblau'),
      from('grün, Grün', '\\1, \\1'),
      from('(A+B) aab', '$& aab'),
      from(null, null),
    ],
  ),
  ...changeCases(
    'replace the value of a field, ignoring case',
    [changeIgnoreCase(act('wert', 'replace', { field: 'b' }, 'x'), true)],
    [
      [
        { wert: 'A.a Aba', b: 'a.A' },
        { wert: 'x Aba', b: 'a.A' },
      ],
      [
        { wert: 'bleibt', b: null },
        { wert: 'bleibt', b: null },
      ],
    ],
  ),
  ...changeCases(
    'replace line by line',
    [act('wert', 'replace', 'a\nb', 'b\nc')],
    [from('ab', 'cc'), from('xa', 'xc'), from('xyz', 'xyz'), from(null, null)],
  ),
  ...changeCases(
    'replace: one replacement applies to all search lines',
    [act('wert', 'replace', 'ä\nö\nü', '?')],
    [from('äxöxü', '?x?x?')],
  ),
  ...changeCases(
    'replace: a line break after the only replacement is ignored',
    [act('wert', 'replace', 'a\nb', '?\n')],
    [from('ab', '??')],
  ),
  ...changeCases(
    'replace: without a replacement, matches are removed',
    [act('wert', 'replace', 'a\nb')],
    [from('xaxb', 'xx'), from('ab', null)],
  ),
  ...changeCases('replace by an empty text', [act('wert', 'replace', 'a', '')], [from('xax', 'xx')]),
  ...changeCases(
    'replace: matches of lines without a replacement are removed',
    [act('wert', 'replace', 'a\nb\nc', '1\n2')],
    [from('abc', '12')],
  ),
  ...changeCases(
    'replace: empty search lines keep the pairing by line',
    [act('wert', 'replace', 'a\r\n\r\nb', '1\r\n2\r\n3')],
    [from('ab', '13')],
  ),
  ...changeCases('replace nothing', [act('wert', 'replace', '', 'x')], [from('ab', 'ab')]),
  ...changeCases(
    'replace takes patterns literally',
    [act('wert', 'replace', '.\n(', '\\1\n$')],
    [from('a.(', 'a\\1$')],
  ),
  ...changeCases(
    'replace from fields',
    [act('wert', 'replace', { field: 'such' }, { field: 'mit' })],
    [
      [
        { wert: 'xax', such: 'a', mit: 'b' },
        { wert: 'xbx', such: 'a', mit: 'b' },
      ],
      [
        { wert: 'xax', such: null, mit: 'b' },
        { wert: 'xax', such: null, mit: 'b' },
      ],
      [
        { wert: 'xax', such: 'a', mit: null },
        { wert: 'xx', such: 'a', mit: null },
      ],
      [
        { wert: 'a\nb', such: 'a\nb', mit: 'c' },
        { wert: 'c', such: 'a\nb', mit: 'c' },
      ],
    ],
  ),
  ...changeCases(
    'replace forty lines',
    [
      act(
        'wert',
        'replace',
        Array.from({ length: 40 }, (_, at) => `<${at}>`).join('\n'),
        Array.from({ length: 40 }, (_, at) => `<${at + 1}>`).join('\n'),
      ),
    ],
    [from('<0> <39> <41>', '<40> <40> <41>')],
  ),
  ...changeCases(
    'textsplit at ; 2',
    [{ ...act('wert', 'textsplit', ';'), value: [{ type: '_string', value: ';' }, count('2')] }],
    [from('a;b;c', 'b'), from('a', null), from(null, null), from('a;;c', null), from('a; b ;c', ' b ')],
  ),
  ...changeCases(
    'textsplit from the end',
    [{ ...act('wert', 'textsplit'), value: [{ type: '_string', value: ' > ' }, count('-1')] }],
    [from('A > B > C', 'C'), from('A', 'A')],
  ),
  ...changeCases(
    'textsplit beyond the end',
    [{ ...act('wert', 'textsplit'), value: [{ type: '_string', value: ',' }, count('-4')] }],
    [from('a,b,c', null), from('a,b,c,d', 'a')],
  ),
  ...changeCases('textsplit without a position takes the first', [act('wert', 'textsplit', ';')], [from('a;b', 'a')]),
  ...changeCases(
    'textsplit at position 0',
    [{ ...act('wert', 'textsplit'), value: [{ type: '_string', value: ';' }, count('0')] }],
    [from('a;b', null)],
  ),
  ...changeCases(
    'textsplit with an invalid position',
    [{ ...act('wert', 'textsplit'), value: [{ type: '_string', value: ';' }, count('zwei')] }],
    [from('a;b', 'a;b')],
  ),
  ...changeCases('textsplit without a separator', [act('wert', 'textsplit', '')], [from('a;b', 'a;b')]),
  ...changeCases(
    'textsplit with the separator from a field',
    [{ ...act('wert', 'textsplit'), value: [{ type: '_field', value: 't' }, count('1')] }],
    [
      [
        { wert: 'a|b', t: '|' },
        { wert: 'a', t: '|' },
      ],
      [
        { wert: 'a|b', t: null },
        { wert: 'a|b', t: null },
      ],
    ],
  ),
  ...changeCases(
    'maxlength 10',
    [{ ...act('wert', 'maxlength'), value: [count('10')] }],
    [
      from('kurz', 'kurz'),
      from('genau zehn', 'genau zehn'),
      from('acht acht neun', 'acht acht'),
      from('wortlos genug lang', 'wortlos ge'),
      from('zehn buch. weiter', 'zehn buch.'),
      from('abcdefgh ijkl', 'abcdefgh'),
      from('abcdefg hijkl', 'abcdefg hi'),
      from(null, null),
      from('äöüßäöüßäöüß', 'äöüßäöüßäö'),
      from('👍👍👍👍👍👍👍👍👍👍👍', '👍👍👍👍👍👍👍👍👍👍'),
      from('abcdefgh   ijk', 'abcdefgh'),
      from('a\nbcdefghi\njk', 'a\nbcdefghi'),
    ],
  ),
  ...changeCases(
    'maxlength 1',
    [{ ...act('wert', 'maxlength'), value: [count('1')] }],
    [from('ab', 'a'), from('a b', 'a'), from('  b', ' ')],
  ),
  ...changeCases('maxlength 0', [{ ...act('wert', 'maxlength'), value: [count('0')] }], [from('abc', 'abc')]),
  ...changeCases('maxlength without a number', [act('wert', 'maxlength', '')], [from('abc', 'abc')]),
  ...changeCases(
    'searchRegex',
    [act('wert', 'searchRegex', '(\\d+) ?cm', '\\1 mm')],
    [from('5 cm x 10cm', '5 mm x 10 mm'), from('ohne', 'ohne'), from(null, null)],
  ),
  ...changeCases(
    'searchRegex swaps groups',
    [act('wert', 'searchRegex', '^(\\w+), (\\w+)$', '\\2 \\1 (\\0)')],
    [from('Muster, Max', 'Max Muster (Muster, Max)')],
  ),
  ...changeCases(
    'searchRegex without a replacement removes matches',
    [act('wert', 'searchRegex', '<[^>]*>', '')],
    [from('<b>fett</b>', 'fett'), from('<br>', null)],
  ),
  ...changeCases(
    'searchRegex with empty matches',
    [act('wert', 'searchRegex', 'x*', '-')],
    [from('axxb', '-a-b-'), from('ä', '-ä-')],
  ),
  ...changeCases(
    'searchRegex with backslashes',
    [act('wert', 'searchRegex', 'a', '\\\\ \\n \\9')],
    [from('a', '\\ \\n ')],
  ),
  ...changeCases(
    'searchRegex with an unusable pattern',
    [act('wert', 'searchRegex', '(?<=a)b', 'x')],
    [from('ab', 'ab')],
  ),
  ...changeCases('searchRegex without a pattern', [act('wert', 'searchRegex', '', 'x')], [from('ab', 'ab')]),
];
