/** Merchants' names for the field with the title, in order of preference. */
const TITLES = [
  'titel',
  'title',
  'artikelbezeichnung',
  'artikelname',
  'produktname',
  'produkttitel',
  'bezeichnung',
  'productname',
  'name',
];

/** The name of the field that looks like a title; undefined if none does. */
export function titleField(fields: readonly { readonly name: string }[]): string | undefined {
  const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-zäöüß]/g, '');
  for (const title of TITLES) {
    const found = fields.find(({ name }) => plain(name) === title);
    if (found) return found.name;
  }
  return fields.find(
    ({ name }) =>
      /titel|title|bezeichnung|name/i.test(name) &&
      !/marke|brand|hersteller|herst|firma|liefer|gpsr|datei|file|kategorie|category/i.test(name),
  )?.name;
}
