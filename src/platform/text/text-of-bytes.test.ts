import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { textOfBytes } from './text-of-bytes.ts';

const texts = 'Name;Ort\r\nJörg Käfig;Köln\r\nÖzgür Straß;München\r\n';

describe('the text of a file', () => {
  it.each(['utf-8', 'windows-1252', 'cp850', 'macintosh', 'utf-16le', 'utf-16be', 'utf-32le'])(
    'GEN-01 %s is known by what the bytes say, with and without a mark',
    (encoding) => {
      expect(textOfBytes(iconv.encode(texts, encoding))).toBe(texts);
      if (encoding.startsWith('utf')) expect(textOfBytes(iconv.encode(texts, encoding, { addBOM: true }))).toBe(texts);
    },
  );

  it('GEN-01 one umlaut of DOS is enough, where Windows has a sign in the middle of a word', () => {
    for (const text of ['Müller;1', 'Jörg;1', 'Käfigweg;1'])
      expect(textOfBytes(iconv.encode(text, 'cp850'))).toBe(text);
    for (const text of [
      'Müller',
      'GORE-TEX™',
      'Škoda',
      'Kids’ cap',
      'don’t',
      'so…und',
      '„Classic“',
      'Köln–Bonn',
      '12,90 €',
      'Krištof',
      'Voll– und',
    ])
      expect(textOfBytes(iconv.encode(text, 'windows-1252'))).toBe(text);
  });

  it('GEN-01 Slavic names of Windows are neither Mac nor DOS, in a file with an ASCII header', () => {
    for (const name of ['Željko Šimun;Šibenik', 'Aleš Kovaš;Žalec', 'Šárka Železná;Brno', 'Miloš Škrobák;Praha']) {
      const file = `order-id;recipient-name;ship-city\r\n1;${name}\r\n`;
      expect(textOfBytes(iconv.encode(file, 'windows-1252'))).toBe(file);
    }
    const mac = 'Name;Ort\r\nSchön;Köln\r\nMöbel;Größe\r\n';
    expect(textOfBytes(iconv.encode(mac, 'macintosh'))).toBe(mac);
  });

  it('an encoding that only names a notation of bytes is not believed', () => {
    const text = '<?xml version="1.0" encoding="hex"?><a>Käfig</a>';
    expect(textOfBytes(iconv.encode(text, 'windows-1252'))).toBe(text);
  });

  it('lines of two character sets are read each in its own, and a declaration does not beat the bytes', () => {
    const both = Buffer.concat([Buffer.from('Größe;€\n'), iconv.encode('Höhe;€\n', 'windows-1252')]);
    expect(textOfBytes(both)).toBe('Größe;€\nHöhe;€\n');
    const xml = '<?xml version="1.0" encoding="UTF-8"?><a>Käfig Küche</a>';
    expect(textOfBytes(iconv.encode(xml, 'windows-1252'))).toBe(xml);
    const polish = '<?xml version="1.0" encoding="ISO-8859-2"?><a>Łódź</a>';
    expect(textOfBytes(iconv.encode(polish, 'iso-8859-2'))).toBe(polish);
  });
});
