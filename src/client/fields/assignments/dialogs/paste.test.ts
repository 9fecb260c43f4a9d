import { expect, test } from 'vitest';
import { CategoryRow, MappingRow } from '#shared/assignments/schema.ts';
import { cellsOf, commonField, csvOf, presentIn, readPasted } from './paste.ts';

const brand = { type: '_field' as const, name: 'Marke', value: 'Marke', origin: 'import' as const };
const targets = [
  { id: '1', name: 'Rot', info: '' },
  { id: '2', name: 'Blau', info: '' },
];
const read = (text: string, more: object = {}) =>
  readPasted(text, { fields: [brand], targets, field: brand, present: new Set(), ...more }).map(
    ({ field, filter, value, target, error }) => [field?.value ?? null, filter, value, target?.id ?? null, error],
  );

test('MAP-03 cells are read from tab-separated spreadsheet text and from CSV with quotes', () => {
  expect(cellsOf('a\tb\r\nc\t"d\ne"\n')).toEqual([
    ['a', 'b'],
    ['c', 'd\ne'],
  ]);
  expect(cellsOf('a;"b;c";"d ""e"""\n\n')).toEqual([['a', 'b;c', 'd "e"']]);
});

test('MAP-03 a quote that ends no cell is a letter of its cell', () => {
  expect(cellsOf('"Premium" Hammer\tA\n3,5"\tB\n"x\tC\ny\tD')).toEqual([
    ['"Premium" Hammer', 'A'],
    ['3,5"', 'B'],
    ['"x', 'C'],
    ['y', 'D'],
  ]);
  expect(cellsOf('"";""""\r\n"a\r\nb";c')).toEqual([
    ['', '"'],
    ['a\r\nb', 'c'],
  ]);
  expect(cellsOf('"a;b" ;c\n"d;e"  \n"f" g;h')).toEqual([['a;b', 'c'], ['d;e'], ['"f" g', 'h']]);
});

test('MAP-03 lines are numbered as in the text, with blank ones and breaks in cells', () => {
  const lines = (text: string) =>
    readPasted(text, { fields: [brand], targets: null, field: brand, present: new Set() }).map(({ line }) => line);
  expect(lines('Wert;Ziel\n\na;x\n"b\nc";y\n\nd;z\n')).toEqual([3, 4, 7]);
});

test('MAP-07 two columns are value and target, by id or by name; a header line can name other columns', () => {
  expect(read('rot\tRot\nblau\t2')).toEqual([
    ['Marke', 'is_equal', 'rot', '1', null],
    ['Marke', 'is_equal', 'blau', '2', null],
  ]);
  expect(read('Ziel;Wert;Filter\nBlau;navy;enthält\n')).toEqual([['Marke', 'contains', 'navy', '2', null]]);
  expect(read('Marke;beginnt mit;Bo;1')).toEqual([['Marke', 'begins_with', 'Bo', '1', null]]);
});

test('MAP-07 a line that repeats another one is not taken a second time', () => {
  const errors = (text: string) => read(text).map(([, , , , error]) => error);
  expect(errors('rot\tRot\nblau\tBlau\n\nrot\t1\nRot\t1')).toEqual([null, null, 'Steht schon in Zeile 1', null]);
  // A line that is not taken itself makes no other one a double.
  expect(errors('Wert;Ziel;Und\nrot;Rot;Typ ist x\nrot;Rot;')).toEqual([expect.stringMatching(/zwei Bed/), null]);
  // Which of two targets is meant is the user's choice; the table marks the row that never applies.
  expect(errors('rot\tRot\nrot\tBlau')).toEqual([null, null]);
});

test('MAP-07 the name of a field over the values is a heading, and the field of the rows', () => {
  const colour = { ...brand, name: 'Farbe', value: 'Farbe' };
  const both = { fields: [brand, colour] };
  expect(read('Farbe\tZiel\nrot\tRot', { ...both, field: undefined })).toEqual([
    ['Farbe', 'is_equal', 'rot', '1', null],
  ]);
  // The data say it, so it counts more than the choice for data that say nothing.
  expect(read('Ziel;Farbe\nRot;rot', both)).toEqual([['Farbe', 'is_equal', 'rot', '1', null]]);
  expect(read('Hersteller im Shop\tZiel\nrot\tRot', both)).toEqual([['Marke', 'is_equal', 'rot', '1', null]]);
  expect(read('Start\tZiel', { ...both, targets: null })[0]?.slice(2, 4)).toEqual(['Start', 'Ziel']);
});

test('MAP-07 a target without any list to look it up says so', () => {
  expect(read('rot\tRot', { targets: [] })[0]?.[4]).toBe('Für das Ziel „Rot“ ist noch keine Liste geladen');
});

test('MAP-07 the field that all rows of a table read is the one for pasted rows', () => {
  const row = (field: string) =>
    MappingRow.parse({ id: field, field: [{ type: '_field', value: field }], value: 'x', target: '' });
  expect(commonField([row('Marke'), row('Marke')], [brand])).toBe(brand);
  expect(commonField([row('Marke'), row('Farbe')], [brand])).toBeUndefined();
  expect(commonField([], [brand])).toBeUndefined();
});

test('MAP-07 every line that cannot be taken says why', () => {
  expect(read('Feld;Filter;Wert;Ziel\nX;;a;1\n;ist so;a;1\n;;;1\n;;a;Grün\n').map(([, , , , error]) => error)).toEqual([
    'Das Feld „X“ gibt es nicht',
    'Der Filter „ist so“ ist unbekannt',
    'Der Wert ist leer',
    'Das Ziel „Grün“ gibt es nicht',
  ]);
  expect(read('a\tb', { field: undefined })[0]?.[4]).toBe('Kein Feld angegeben');
  expect(read('a\tfrei', { targets: null })[0]?.[3]).toBe('frei');
});

test('MAP-07 a row that the table has already counts as present, not as new: the same condition, target and state', () => {
  const row = (value: string, target: string, active = true) =>
    MappingRow.parse({ id: value, field: [{ type: '_field', value: 'Marke' }], value, target, active });
  const two = {
    input: { type: '_field' as const, value: 'Marke', caption: '' },
    filter: 'is_equal' as const,
    value: 'alt',
  };
  const both = CategoryRow.parse({
    id: 'z',
    field: [two, two],
    target: '1',
    catname: 'Rot',
    producttyp: '',
    active: true,
  });
  const present = presentIn([row('rot', '1'), row('blau', '2', false), row('offen', ''), both]);
  const choices = { fields: [brand], targets, field: brand, present };
  const found = readPasted('rot\tRot\nrot\tBlau\nblau\tBlau\noffen\t\nalt\tRot\nrot\t1', choices);
  const said = 'Steht schon in der Tabelle';
  expect(found.map(({ error }) => error)).toEqual([said, null, null, said, null, said]);
  expect(found.map((one) => one.present)).toEqual([true, false, false, true, false, true]);
});

test('MAP-07 what is written as CSV reads back as the same rows, formulas included', () => {
  const row = (id: string, value: string, target: string) =>
    MappingRow.parse({
      id,
      field: [{ type: '_field', value: 'Marke' }],
      filter: 'contains',
      value,
      target,
      catname: 'Rot',
    });
  const text = csvOf([row('a', '=1+1', '1'), row('b', 'x;"y"', '2')], 'Weise Wert zu').replace('\uFEFF', '');
  expect(read(text)).toEqual([
    ['Marke', 'contains', '=1+1', '1', null],
    ['Marke', 'contains', 'x;"y"', '2', null],
  ]);
});

test('MAP-07 a CSV is read back with the blanks and tabs of its values, which matter in comparisons', () => {
  const values = ['rot ', '\u00a0blau', 'a\tb', ' '];
  const rows = values.map((value) =>
    MappingRow.parse({
      id: value,
      field: [{ type: '_field', value: 'Marke' }],
      filter: 'is_equal',
      value,
      target: '1',
    }),
  );
  const text = csvOf(rows, 'Weise Wert zu').replace('\uFEFF', '');
  expect(read(text).map(([, , value, , error]) => [value, error])).toEqual(values.map((value) => [value, null]));
  expect(read('rot \tRot')).toEqual([['Marke', 'is_equal', 'rot', '1', null]]);
});

test('MAP-07 a CSV is read back with the blanks and leading apostrophes of free-text targets', () => {
  const texts = [' cm', 'cm ', "'=1+1", "''@x", "'-5", '-5', '=1'];
  const field = [{ type: '_field', value: 'Marke' }];
  const rows = texts.map((text) => MappingRow.parse({ id: text, field, value: text, target: text }));
  const text = csvOf(rows, 'Weise Wert zu').replace('\uFEFF', '');
  expect(read(text, { targets: null }).map(([, , value, target]) => [value, target])).toEqual(
    texts.map((one) => [one, one]),
  );
  expect(read('a\t cm ', { targets: null })[0]?.[3]).toBe('cm');
});

test('MAP-07 where targets differ only in case, a text means the one with exactly its spelling', () => {
  const both = ['BOSCH', 'Bosch'].map((name) => ({ id: name, name, info: '' }));
  const found = read('a\tBOSCH\nb\tBosch\nc\tbosch', { targets: both });
  expect(found.map(([, , , target]) => target)).toEqual(['BOSCH', 'Bosch', 'Bosch']);
});

test('MAP-07 CAT-04 a pasted CSV keeps paused rows and fixed texts; rows with two conditions are refused', () => {
  const fixed = {
    input: { type: '_string' as const, value: 'fest', caption: '' },
    filter: 'contains' as const,
    value: 'a',
  };
  const line = (id: string, field: unknown[], active: boolean) =>
    CategoryRow.parse({ id, field, target: '1', catname: 'Rot', producttyp: '', active });
  const text = csvOf([line('a', [fixed], false), line('b', [fixed, fixed], true)], 'Weise Kategorie zu');
  const [one, two] = readPasted(text.replace('\uFEFF', ''), {
    fields: [brand],
    targets,
    field: undefined,
    present: new Set(),
  });
  expect(one).toMatchObject({ field: { type: '_string', value: 'fest' }, active: false, error: null });
  expect(two?.error).toMatch(/^Zeilen mit zwei Bedingungen/);
  expect(read('Wert;Ziel;Aktiv\na;1;vielleicht')[0]?.[4]).toBe('„Aktiv“ ist ja oder nein, nicht „vielleicht“');
});
