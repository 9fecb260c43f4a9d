import { expect, test } from 'vitest';
import { readList } from './read-list.ts';

const read = (text: string) => readList(new TextEncoder().encode(text));
const names = (text: string) => read(text).entries.map(({ id, name }) => [id, name]);

test('CAT-11 XML: categories inside of categories, with ids and names as attributes, elements or text', () => {
  const tree = [
    ['1', 'Tiere'],
    ['2', 'Tiere > Hunde'],
    ['3', 'Tiere > Hunde > Leinen'],
    ['4', 'Haus'],
  ];
  const nested = (open: (id: number, name: string) => string, close: string) =>
    `<?xml version="1.0"?><list>${open(1, 'Tiere')}${open(2, 'Hunde')}${open(3, 'Leinen')}${close}${close}${close}${open(4, 'Haus')}${close}</list>`;
  expect(names(nested((id, name) => `<category id="${id}" name="${name}">`, '</category>'))).toEqual(tree);
  expect(names(nested((id, name) => `<c><id>${id}</id><name>${name}</name><sub>`, '</sub></c>'))).toEqual(tree);
  expect(names(nested((id, name) => `<t:node xmlns:t="urn:t" code="${id}">${name}`, '</t:node>'))).toEqual(tree);
  expect(
    names('<tree><node><name>Tiere</name><children><node><name>Hunde</name></node></children></node></tree>'),
  ).toEqual([
    ['Tiere', 'Tiere'],
    ['Tiere > Hunde', 'Tiere > Hunde'],
  ]);
});

test('CAT-11 XML: entries that name their parent or path, names alone, colours with their value, the German of several languages', () => {
  const yml =
    '<?xml version="1.0"?><!DOCTYPE yml_catalog SYSTEM "shops.dtd"><yml_catalog><shop><categories><category id="1">Elektro</category><category id="2" parentId="1">Lampen</category></categories><offers><offer id="9"><name>Lampe</name></offer></offers></shop></yml_catalog>';
  expect(names(yml)).toEqual([
    ['1', 'Elektro'],
    ['2', 'Elektro > Lampen'],
  ]);
  expect(
    names(
      '<l><i><id>1</id><path>A &gt; B</path><name>B</name></i><i><id>2</id><path>A &gt; C</path><name>C</name></i></l>',
    ),
  ).toEqual([
    ['1', 'A > B'],
    ['2', 'A > C'],
  ]);
  expect(names('<brands><brand>Bosch</brand><brand>Würth &amp; Co</brand></brands>')).toEqual([
    ['Bosch', 'Bosch'],
    ['Würth & Co', 'Würth & Co'],
  ]);
  const color = '<color><id>7</id><name lang="en">Red</name><name lang="de">Rot</name><hex>#f00</hex></color>';
  expect(read(`<colors>${color}</colors>`).entries).toEqual([{ id: '7', name: 'Rot', info: '#f00' }]);
});

test('CAT-11 XML: the groups of a BMEcat without the root that stands for the catalogue, or the classes of its classification', () => {
  const group = (type: string, id: string, name: string, parent: string) =>
    `<CATALOG_STRUCTURE type="${type}"><GROUP_ID>${id}</GROUP_ID><GROUP_NAME>${name}</GROUP_NAME><PARENT_ID>${parent}</PARENT_ID></CATALOG_STRUCTURE>`;
  const bmecat = (inner: string) =>
    `<!DOCTYPE BMECAT SYSTEM "b.dtd" [<!ELEMENT UDX (#PCDATA)>]><BMECAT><HEADER><CATALOG><CATALOG_ID>X</CATALOG_ID><CATALOG_NAME>Kat</CATALOG_NAME></CATALOG></HEADER><T_NEW_CATALOG>${inner}</T_NEW_CATALOG></BMECAT>`;
  const groups =
    group('root', '1', 'Katalog', '0') + group('leaf', '11', 'Hämmer', '10') + group('node', '10', 'Werkzeug', '1');
  expect(names(bmecat(groups))).toEqual([
    ['11', 'Werkzeug > Hämmer'],
    ['10', 'Werkzeug'],
  ]);
  const classes = [1, 2].map(
    (id) =>
      `<CLASSIFICATION_GROUP type="node"><CLASSIFICATION_GROUP_ID>${id}</CLASSIFICATION_GROUP_ID><CLASSIFICATION_GROUP_NAME>K${id}</CLASSIFICATION_GROUP_NAME>${id > 1 ? '<CLASSIFICATION_GROUP_PARENT_ID>1</CLASSIFICATION_GROUP_PARENT_ID>' : ''}</CLASSIFICATION_GROUP>`,
  );
  expect(names(bmecat(classes.join('')))).toEqual([
    ['1', 'K1'],
    ['2', 'K1 > K2'],
  ]);
  expect(() => read(bmecat('<ARTICLE/>'))).toThrow('CATALOG_STRUCTURE');
});

test("CAT-11 XML: Amazon's browse tree: the path of ids gives the parents, as names contain the comma of the path of names", () => {
  const node = (id: number, name: string, ids: string, path: string) =>
    `<Node><browseNodeId>${id}</browseNodeId><browseNodeAttributes count="0"/><browseNodeName>${name}</browseNodeName><browseNodeStoreContextName>${name}</browseNodeStoreContextName><browsePathById>${ids}</browsePathById><browsePathByName>${path}</browsePathByName><hasChildren>true</hasChildren><childNodes count="1"><id>7</id></childNodes><productTypeDefinitions>TABLE</productTypeDefinitions></Node>`;
  const kitchen = 'Küche, Haushalt &amp; Wohnen';
  const tree = [
    node(9, 'Tische', '1,3,9', `${kitchen},Tische`),
    node(3, kitchen, '1,3', kitchen),
    node(8, 'Ablagen', '1,3,9,8', `${kitchen},Tische,Ablagen`),
    node(5, 'Hunde', '4,5', 'Hunde'),
  ];
  expect(names(`<?xml version="1.0"?><Result>${tree.join('')}</Result>`)).toEqual([
    ['9', 'Küche, Haushalt & Wohnen > Tische'],
    ['3', 'Küche, Haushalt & Wohnen'],
    ['8', 'Küche, Haushalt & Wohnen > Tische > Ablagen'],
    ['5', 'Hunde'],
  ]);
});

test('CAT-11 XML: web pages, product feeds, broken documents and entities are refused', () => {
  expect(() => read('<!DOCTYPE html><html><body>Anmeldung</body></html>')).toThrow('Webseite');
  expect(() => read('<rss><channel><item><id>1</id><title>Lampe</title></item></channel></rss>')).toThrow('Artikeln');
  expect(() => read('<artikel><a><id>1</id><name>Lampe</name><preis>1</preis></a></artikel>')).toThrow('Artikeln');
  expect(() => read('<ORDER><PARTY><ID>1</ID><NAME>Kanari</NAME></PARTY></ORDER>')).toThrow('Bestellungen');
  expect(() => read('<list><item></list>')).toThrow('kein gültiges XML');
  expect(() => read('<!DOCTYPE l [<!ENTITY a "b">]><list><item id="1">&a;</item></list>')).toThrow('kein gültiges XML');
  expect(() =>
    read('<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><list><item id="1">&a;</item></list>'),
  ).toThrow('kein gültiges XML');
  expect(() => read(`${'<a>'.repeat(100)}${'</a>'.repeat(100)}`)).toThrow('verschachtelt');
});

test('CAT-11 XML: hostile beginnings are refused, in linear time, and a long name is shortened', () => {
  expect(() => read(`<!DOCTYPE${' '.repeat(200_000)}`)).toThrow('kein gültiges XML');
  expect(() => read('<!DOCTYPE a ['.repeat(50_000))).toThrow('kein gültiges XML');
  expect(() => read(`<!-- ${'x'.repeat(20_000_000)}`)).toThrow('kein gültiges XML');
  const long = 'n'.repeat(5_000);
  expect(() => read(`<${long}><price>1</price></${long}>`)).toThrow(`„${'n'.repeat(40)}…“`);
});
