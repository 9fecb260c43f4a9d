import { makeZip } from '#feed/import/reader/archive/zip-fixture.ts';

/** `rows`: the XML of `sheetData`; `behind`: the XML after it. */
type Sheet = { name: string; rows: string; state?: string; behind?: string };

/** For tests: returns a workbook file. */
export function workbook(
  sheets: readonly Sheet[],
  extra: { strings?: string; styles?: string; properties?: string } = {},
): Buffer {
  const list = sheets.map(
    (sheet, index) =>
      `<sheet name="${sheet.name}" sheetId="${index + 1}" state="${sheet.state ?? 'visible'}" r:id="rId${index}"/>`,
  );
  const relations = sheets.map(
    (_, index) => `<Relationship Id="rId${index}" Type="http://x/worksheet" Target="worksheets/sheet${index}.xml"/>`,
  );
  return makeZip([
    { name: '[Content_Types].xml', content: '<Types/>' },
    {
      name: 'xl/workbook.xml',
      content: `<workbook xmlns:r="r">${extra.properties ?? ''}<sheets>${list.join('')}</sheets></workbook>`,
    },
    { name: 'xl/_rels/workbook.xml.rels', content: `<Relationships>${relations.join('')}</Relationships>` },
    { name: 'xl/styles.xml', content: extra.styles ?? '<styleSheet/>' },
    { name: 'xl/sharedStrings.xml', content: extra.strings ?? '<sst/>' },
    ...sheets.map((sheet, index) => ({
      name: `xl/worksheets/sheet${index}.xml`,
      content: `<worksheet><sheetData>${sheet.rows}</sheetData>${sheet.behind ?? ''}</worksheet>`,
    })),
  ]);
}

/** For tests: returns the XML of a cell with an inline text. */
export function inline(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
}

/** For tests: returns rows of texts and numbers as XML of a worksheet; a cell that begins with `<` is XML already. */
export function sheetRows(rows: readonly (readonly (string | number)[])[]): string {
  const cell = (value: string | number, reference: string) =>
    typeof value === 'number'
      ? `<c r="${reference}"><v>${value}</v></c>`
      : value.startsWith('<')
        ? value
        : inline(reference, value);
  return rows
    .map((cells, row) => {
      const texts = cells.map((value, column) =>
        value === '' ? '' : cell(value, `${String.fromCharCode(65 + column)}${row + 1}`),
      );
      return `<row r="${row + 1}">${texts.join('')}</row>`;
    })
    .join('');
}
