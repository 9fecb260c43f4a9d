import { inflateSync } from 'node:zlib';

/**
 * Returns the texts of each page of a PDF that Chromium printed, one piece of text per line, in drawing order. Only reads what
 * Chromium writes: plain objects, streams compressed by zlib, glyphs with a table back to letters.
 */
export function pdfTexts(pdf: Buffer): string[] {
  const file = pdf.toString('latin1');
  const objects = new Map(
    [...file.matchAll(/(\d+) 0 obj\s([\s\S]*?)endobj/g)].map(([, id, body]) => [id ?? '', body ?? '']),
  );
  const pages = [...objects.values()].filter((body) => /\/Type\s*\/Page\b/.test(body));
  return pages.map((page) => {
    const resources = dictionaryOf(page, 'Resources', objects);
    const fonts = new Map(
      [...dictionaryOf(resources, 'Font', objects).matchAll(/\/(\w+) (\d+) 0 R/g)].map(([, name, id]) => [
        name ?? '',
        fontOf(objects.get(id ?? '') ?? '', objects),
      ]),
    );
    const [, contents] = /\/Contents (\d+) 0 R/.exec(page) ?? [];
    return drawn(streamOf(objects.get(contents ?? '') ?? ''), fonts);
  });
}

/** Returns a dictionary that is contained in another one, or that it refers to. */
function dictionaryOf(body: string, key: string, objects: ReadonlyMap<string, string>): string {
  const [, id] = new RegExp(String.raw`/${key} (\d+) 0 R`).exec(body) ?? [];
  if (id !== undefined) return objects.get(id) ?? '';
  const start = body.search(new RegExp(String.raw`/${key}\s*<<`));
  return start < 0 ? '' : body.slice(start);
}

function streamOf(body: string): string {
  const begin = /stream\r?\n/.exec(body);
  // By its length: the data may end with the same bytes as a line.
  const [, length = '0'] = /\/Length (\d+)/.exec(body) ?? [];
  if (begin === null) return '';
  const start = begin.index + begin[0].length;
  return inflateSync(Buffer.from(body.slice(start, start + Number(length)), 'latin1')).toString('latin1');
}

/** The letter of each glyph; `digits`: number of digits of a glyph's number in the text. */
type Font = { readonly digits: number; readonly letters: ReadonlyMap<number, string> };

function fontOf(font: string, objects: ReadonlyMap<string, string>): Font {
  const [, id] = /\/ToUnicode (\d+) 0 R/.exec(font) ?? [];
  const table = streamOf(objects.get(id ?? '') ?? '');
  const letters = new Map<number, string>();
  const letter = (hex: string) =>
    String.fromCodePoint(...(hex.match(/.{4}/g) ?? []).map((one) => Number.parseInt(one, 16)));
  for (const [, part = ''] of table.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph = '', text = ''] of part.matchAll(/<(\w+)>\s*<(\w+)>/g))
      letters.set(Number.parseInt(glyph, 16), letter(text));
  for (const [, part = ''] of table.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from = '', to = '', text = ''] of part.matchAll(/<(\w+)>\s*<(\w+)>\s*<(\w+)>/g))
      for (let glyph = Number.parseInt(from, 16), at = 0; glyph <= Number.parseInt(to, 16); glyph++, at++)
        letters.set(glyph, String.fromCodePoint(Number.parseInt(text, 16) + at));
  const [, code = '0000'] = /begincodespacerange\s*<(\w+)>/.exec(table) ?? [];
  return { digits: code.length, letters };
}

function drawn(content: string, fonts: ReadonlyMap<string, Font>): string {
  return [...content.matchAll(/BT([\s\S]*?)ET/g)]
    .map(([, block = '']) => {
      let font: Font | undefined;
      let text = '';
      for (const [, named, glyphs = ''] of block.matchAll(/\/(\w+) [\d.]+ Tf|<([0-9A-Fa-f]+)>/g)) {
        if (named !== undefined) font = fonts.get(named);
        const { digits, letters } = font ?? { digits: 4, letters: new Map<number, string>() };
        for (let at = 0; at < glyphs.length; at += digits)
          text += letters.get(Number.parseInt(glyphs.slice(at, at + digits), 16)) ?? '?';
      }
      return text;
    })
    .join('\n');
}
