import { inflateRawSync } from 'node:zlib';
import { SaxesParser } from 'saxes';

/** For tests: an element of XML that a strict, independent parser read, with its attributes, text and children. */
export type XmlElement = { name: string; attributes: Record<string, string>; text: string; children: XmlElement[] };

export function readXml(text: string): XmlElement {
  const root: XmlElement = { name: '', attributes: {}, text: '', children: [] };
  const open = [root];
  const parser = new SaxesParser({ xmlns: true });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
      text: '',
      children: [],
    };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  const add = (part: string) => {
    const element = open.at(-1);
    if (element) element.text += part;
  };
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  const [only] = root.children;
  if (!only) throw new Error('no root element');
  return only;
}

/** All descendants with this name. */
export function elementsNamed(root: XmlElement, name: string): XmlElement[] {
  return root.children.flatMap((child) => [...(child.name === name ? [child] : []), ...elementsNamed(child, name)]);
}

/** For tests: reads the members of a ZIP file from its central directory. */
export function readZip(bytes: Buffer): Map<string, Buffer> {
  const members = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  let at = bytes.readUInt32LE(end + 16);
  for (let count = bytes.readUInt16LE(end + 10); count > 0; count--) {
    const [method, size] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 20)];
    const lengthAt = (index: number) => bytes.readUInt16LE(at + index);
    const nameLength = lengthAt(28);
    const local = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    const begin = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const content = bytes.subarray(begin, begin + size);
    members.set(name, method === 8 ? inflateRawSync(content) : content);
    at += 46 + nameLength + lengthAt(30) + lengthAt(32);
  }
  return members;
}

/** A cell of a workbook: a text as displayed, or a number. */
export type SheetCell = string | number | null;

/** For tests: reads the rows of a workbook's first sheet according to ECMA-376. */
export function readWorkbook(bytes: Buffer): SheetCell[][] {
  const members = readZip(bytes);
  for (const part of ['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/_rels/workbook.xml.rels'])
    readXml(members.get(part)?.toString('utf8') ?? '');
  const sheet = readXml(members.get('xl/worksheets/sheet1.xml')?.toString('utf8') ?? '');
  return elementsNamed(sheet, 'row').map((row) =>
    row.children.map((cell) => {
      const [content] = cell.children;
      if (!content) return null;
      if (cell.attributes['t'] !== 'str') return Number(content.text);
      // As Excel does.
      const text =
        content.attributes['xml:space'] === 'preserve'
          ? content.text
          : content.text.replaceAll(/^[ \t\r\n]+|[ \t\r\n]+$/gu, '');
      return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      );
    }),
  );
}
