import { expect, test } from 'vitest';
import { readList } from './read-list.ts';

const read = (text: string) => readList(new TextEncoder().encode(text));
const names = (text: string) => read(text).entries.map(({ id, name }) => [id, name]);

test("CAT-11 a category that names itself as parent is a root, as in eBay's answers", () => {
  const category = (id: number, name: string, parent: number) =>
    `<Category><CategoryID>${id}</CategoryID><CategoryName>${name}</CategoryName><CategoryParentID>${parent}</CategoryParentID></Category>`;
  const tree = [
    ['1', 'Antik'],
    ['2', 'Antik > Möbel'],
  ];
  expect(names(`<CategoryArray>${category(1, 'Antik', 1)}${category(2, 'Möbel', 1)}</CategoryArray>`)).toEqual(tree);
  expect(names('id;name;parent\n1;Antik;1\n2;Möbel;1\n')).toEqual(tree);
});
