import { act, operatorCases, rule, when, type Case } from './case.ts';

const nbsp = '\u00a0';

/** RUL-03: the text operators, and those with one entry per line. */
export const textCases: Case[] = [
  ...operatorCases('contains', 'GRÖSSE', { holds: ['Größe GRÖSSE', 'größse grösse'], fails: ['Größe', null, ''] }),
  ...operatorCases('contains', 'schwarz', { holds: ['Schuh SCHWARZ 42'], fails: ['weiß', ' ', 'schwar z'] }),
  ...operatorCases('contains', 'ß', { holds: ['Straße', 'ẞ groß', 'STRAẞE'], fails: ['Strasse', 'SS'] }),
  ...operatorCases('contains', '', { fails: ['alles', null] }),
  ...operatorCases('contains', ' ', { holds: ['a b'], fails: ['ab', `a${nbsp}b`] }),
  ...operatorCases('contains', '%', { holds: ['10 % mehr'], fails: ['mehr'] }),
  ...operatorCases('contains', '_', { holds: ['a_b'], fails: ['ab'] }),
  ...operatorCases('contains', '👍', { holds: ['gut 👍'], fails: ['gut 👎'] }),
  ...operatorCases(
    'contains',
    { field: 'marke' },
    {
      holds: [{ wert: 'Der ACME Schuh', marke: 'acme' }],
      fails: [
        { wert: 'Schuh', marke: 'acme' },
        { wert: 'Schuh', marke: null },
        { wert: null, marke: 'acme' },
      ],
    },
  ),
  ...operatorCases('not_contains', 'ROT', { holds: ['blau', null, ''], fails: ['Rotes Kleid', 'Brot'] }),
  ...operatorCases('not_contains', '', { holds: ['alles', null] }),
  ...operatorCases(
    'not_contains',
    { field: 'marke' },
    { holds: [{ wert: 'x', marke: null }], fails: [{ wert: 'xY', marke: 'y' }] },
  ),
  ...operatorCases('is_equal', 'Übergröße', {
    holds: ['übergröße', 'ÜBERGRÖßE', 'ÜBERGRÖẞE'],
    fails: ['ÜBERGRÖSSE', 'Übergröße ', null],
  }),
  ...operatorCases('is_equal', '10', { holds: ['10'], fails: ['10,0', '010', ' 10', '9'] }),
  ...operatorCases('is_equal', '', { fails: ['', null, 'x'] }),
  ...operatorCases('is_equal', 'İstanbul', { holds: ['istanbul', 'İSTANBUL'], fails: ['ıstanbul'] }),
  ...operatorCases('is_equal', 'ΟΔΟΣ', { holds: ['οδοσ'], fails: ['οδος'] }),
  ...operatorCases(
    'is_equal',
    { field: 'b' },
    {
      holds: [{ wert: 'A', b: 'a' }],
      fails: [
        { wert: null, b: null },
        { wert: 'a', b: 'b' },
      ],
    },
  ),
  ...operatorCases('is_equal', { field: '_id' }, { holds: ['1'], fails: ['2', null] }),
  ...operatorCases('is_equal', { field: 'gibt es nicht' }, { fails: ['x', null] }),
  ...operatorCases('is_not_equal', 'rot', { holds: ['Rote', null, 'rot '], fails: ['ROT'] }),
  ...operatorCases('is_not_equal', '', { holds: [null, 'x'] }),
  ...operatorCases('starts_with', 'Ärmel', { holds: ['ÄRMELLOS', 'ärmel'], fails: [' Ärmel', 'Armel', null] }),
  ...operatorCases(
    'starts_with',
    { field: 'b' },
    { holds: [{ wert: 'Abc', b: 'aB' }], fails: [{ wert: 'Abc', b: null }] },
  ),
  ...operatorCases('starts_not_with', 'a', { holds: ['ba', null], fails: ['Ab'] }),
  ...operatorCases('ends_with', 'Maß', { holds: ['Übermaß', 'MAẞ'], fails: ['Maß ', 'Mass', null] }),
  ...operatorCases(
    'ends_with',
    { field: 'b' },
    { holds: [{ wert: 'abC', b: 'BC' }], fails: [{ wert: 'C', b: 'abC' }] },
  ),
  ...operatorCases('ends_not_with', '.jpg', { holds: ['bild.png', null, '.jpg.'], fails: ['BILD.JPG'] }),
  ...operatorCases('is_empty', '', {
    holds: [null, '', ' ', '\t\n', `${nbsp}\u202f\u3000`],
    fails: ['0', '.', `${nbsp}x`],
  }),
  ...operatorCases('is_not_empty', '', { holds: ['0', 'x '], fails: [null, '', ' \r\n '] }),
  ...operatorCases('length_exceeds', '3', {
    holds: ['vier', 'äöüß', '👍👍👍👍'],
    fails: ['abc', '👍👍👍', 'ÄÖÜ', null],
  }),
  ...operatorCases('length_exceeds', '2,5', { holds: ['abc'], fails: ['ab'] }),
  ...operatorCases('length_exceeds', 'viele', { fails: ['lang genug', null] }),
  ...operatorCases(
    'length_exceeds',
    { field: 'n' },
    {
      holds: [{ wert: 'abc', n: '2' }],
      fails: [
        { wert: 'abc', n: '3' },
        { wert: 'abc', n: 'x' },
        { wert: 'abc', n: null },
      ],
    },
  ),
  ...operatorCases('length_not_exceeds', '3', { holds: ['abc', null, ''], fails: ['abcd'] }),
  ...operatorCases('length_not_exceeds', '', { holds: ['abc', null] }),
  ...operatorCases('word_count_exceeds', '2', {
    holds: ['eins zwei drei', ` a\tb\nc `, `a${nbsp}b\u2003c`],
    fails: ['eins zwei', 'ein-zwei-drei', ' a  b ', '   ', null],
  }),
  ...operatorCases('word_count_exceeds', '0', { holds: ['w'], fails: [' ', null] }),
  ...operatorCases('word_count_not_exceeds', '2', { holds: ['eins zwei', null, ' '], fails: ['a b c'] }),
  ...operatorCases('contains_any', 'rot\nBLAU', { holds: ['Hellblau', 'ROTES'], fails: ['grün', null] }),
  ...operatorCases('contains_any', 'rot\r\n\r\nblau\r\n', { holds: ['blau', 'rot'], fails: ['grün', 'gelb '] }),
  ...operatorCases('contains_any', '\n\n', { fails: ['x', null] }),
  ...operatorCases('contains_any', 'a\rb', { holds: ['b'], fails: ['c'] }),
  ...operatorCases('contains_any', Array.from({ length: 300 }, (_, at) => `w${at}.`).join('\n'), {
    holds: ['das w299. Wort', 'W0.'],
    fails: ['w300.', 'w29', 'w12x', null],
  }),
  ...operatorCases('contains_any', 'a.c\n(x\n[y\n$\n^\n|\n\\d\n*\n+\n?', {
    holds: ['a.C', '(X', 'y [Y', '1 \\D', 'a|b', '5$'],
    fails: ['abc', 'x', '5'],
  }),
  ...operatorCases(
    'contains_any',
    { field: 'liste' },
    {
      holds: [{ wert: 'Hellblau', liste: 'ROT\nBLAU' }],
      fails: [
        { wert: 'grün', liste: 'rot\r\n\r\nblau' },
        { wert: 'grün', liste: null },
        { wert: null, liste: 'x' },
      ],
    },
  ),
  ...operatorCases('not_contains_any', 'rot\nblau', { holds: ['grün', null], fails: ['hellBLAU'] }),
  ...operatorCases('not_contains_any', '', { holds: ['x', null] }),
  ...operatorCases('is_equal_any', 'S\nM\nXL', { holds: ['m', 'XL', 's'], fails: ['L', 'S ', 'X', null] }),
  ...operatorCases('is_equal_any', 'ja\n\n', { holds: ['JA'], fails: ['', null, '\n'] }),
  ...operatorCases('is_equal_any', Array.from({ length: 500 }, (_, at) => `ART-${at}`).join('\n'), {
    holds: ['art-499', 'ART-7'],
    fails: ['art-500', 'ART-', null],
  }),
  ...operatorCases(
    'is_equal_any',
    { field: 'liste' },
    {
      holds: [{ wert: 'm', liste: 's\nM' }],
      fails: [
        { wert: 'l', liste: 's\nM' },
        { wert: 'm', liste: null },
      ],
    },
  ),
  ...operatorCases('not_equal_any', 'S\nM', { holds: ['L', null, 'SM'], fails: ['s', 'M'] }),
  ...operatorCases('not_equal_any', Array.from({ length: 20 }, (_, at) => `x${at}`).join('\n'), {
    holds: [null, 'x20'],
    fails: ['X19'],
  }),
  ...operatorCases('regex', '^[A-Z]{2}\\d+$', { holds: ['AB12'], fails: ['ab12', 'AB', null] }),
  ...operatorCases('regex', '(?i)^gr(ö|oe)ße', { holds: ['GRÖßE 5', 'groeße'], fails: ['Grösse', 'die Größe'] }),
  ...operatorCases('regex', 'a.*b', { holds: ['xaxxbx'], fails: ['a\nb', 'ba'] }),
  ...operatorCases('regex', '(?s)a.*b', { holds: ['a\nb'], fails: ['ba'] }),
  ...operatorCases('regex', '^b', { holds: ['bc'], fails: ['a\nb'] }),
  ...operatorCases('regex', '(?m)^b$', { holds: ['a\nb\nc'], fails: ['a\nbc'] }),
  ...operatorCases('regex', '\\p{Lu}', { holds: ['äÖ'], fails: ['äö'] }),
  ...operatorCases('regex', '100%', { holds: ['100% Baumwolle'], fails: ['100 %'] }),
  ...operatorCases('regex', '', { fails: ['x', null] }),
  ...operatorCases('regex', '(?=x)', { fails: ['x', null] }),
  ...operatorCases('regex', '(a)\\1', { fails: ['aa', null] }),
  ...operatorCases('regex', { field: 'muster' }, { fails: [{ wert: 'x', muster: 'x' }] }),
  ...operatorCases('not_regex', '\\d', { holds: ['ohne', null], fails: ['mit 1'] }),
  ...operatorCases('not_regex', '', { holds: ['x', null] }),
  ...operatorCases('not_regex', '(', { fails: ['x', null] }),
  {
    title: 'a condition without a field holds for no item',
    items: [{ wert: 'a' }, { wert: null }],
    rules: [rule([when('', 'is_empty')], [act('wert', 'set', 'b')])],
    expected: [{ wert: 'a' }, { wert: null }],
  },
];
