import { Rule } from '#shared/rules/schema.ts';

type Part = { field: string; select: string; value?: string };
const condition = ({ field, select, value = '' }: Part, index: number) => ({
  id: `q${index}`,
  field,
  select,
  value,
  valuetyp: '_string',
});
const rule = (index: number, parts: Part[], action: object) =>
  Rule.parse({
    id: `Bench${String(index).padStart(5, '0')}`,
    name: `Regel ${index}`,
    active: true,
    querys: parts.map(condition),
    actions: [{ id: 'a', ...action }],
  });
const set = (field: string, value: string) => ({ field, select: 'set', value: [{ type: '_string', value }] });

const words = ['Bohr', 'Schrauber', 'Garten', 'Jacke', 'Messer', 'Kabel', 'Tee', 'Lasur', 'Matte', 'Schuh'];
const fields = ['Titel', 'Kurzbeschreibung', 'Marke', 'Kategoriepfad', 'Suchbegriffe', 'Material'];

/** A typical mix of 50 rules: 30 simple ones, 10 with three conditions, 5 with a regular expression, 5 calculations. */
export const fiftyRules: Rule[] = [
  ...Array.from({ length: 30 }, (_, index) =>
    rule(
      index,
      [
        {
          field: fields[index % fields.length] ?? '',
          select: ['contains', 'is_equal', 'starts_with', 'ends_with', 'is_empty'][index % 5] ?? '',
          value: words[index % words.length] ?? '',
        },
      ],
      set(fields[(index + 1) % fields.length] ?? '', `Wert ${index}`),
    ),
  ),
  ...Array.from({ length: 10 }, (_, index) =>
    rule(
      30 + index,
      [
        { field: 'Titel', select: 'contains', value: words[index] ?? '' },
        { field: 'Preis', select: 'is_greater_than', value: String(10 + index) },
        { field: 'Marke', select: 'not_contains', value: 'no name' },
      ],
      { field: 'Titel', select: 'append', value: [{ type: '_string', value: ' Neu' }] },
    ),
  ),
  ...Array.from({ length: 5 }, (_, index) =>
    rule(
      40 + index,
      [{ field: 'Herstellernummer', select: 'regex', value: `^[A-Z]{3}${index}\\d+` }],
      set('Zustand', `geprüft ${index}`),
    ),
  ),
  ...Array.from({ length: 5 }, (_, index) =>
    rule(45 + index, [{ field: 'Bestand', select: 'is_greater_than', value: String(index * 50) }], {
      field: 'UVP',
      select: 'calculate',
      selecttyp: 'calculate',
      value: [
        { type: '_field', value: 'Preis' },
        { type: '_number', value: `1.${index + 1}` },
      ],
      actionOperator: 'multiply',
    }),
  ),
];

/** A rule that a merchant is editing. */
export const editedRule = rule(
  99,
  [{ field: 'Titel', select: 'contains', value: 'schrauber' }],
  set('Marke', 'Nordkap'),
);

/** Returns this number of mixed rules; each round has words of its own, so that rules only share the fields. */
export const manyRules = (count: number): Rule[] =>
  Array.from({ length: count }, (_, index) => {
    const [round, mixed] = [Math.floor(index / fiftyRules.length), fiftyRules[index % fiftyRules.length]];
    if (!mixed) throw new Error('The mix has a rule for every place');
    const querys = mixed.querys.map((one) =>
      one.select === 'is_greater_than' || round === 0 ? one : { ...one, value: `${one.value}${round}` },
    );
    return { ...mixed, id: `Many${String(index).padStart(6, '0')}`, querys };
  });

/** Twenty texts to find in every description; the catalogue contains none of them, as is typical. */
export const replacingRule = rule(98, [{ field: '@ALL@', select: 'contains' }], {
  field: 'Beschreibung',
  select: 'replace',
  selecttyp: 'find',
  value: ['wort', 'ersatz'].map((word) => ({
    type: '_string',
    value: Array.from({ length: 20 }, (_, index) => `${word}${index}x`).join('\n'),
  })),
});
