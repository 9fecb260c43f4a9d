import iconv from 'iconv-lite';
import { describe, expect, test } from 'vitest';
import { importContent, type FixtureOptions } from '#feed/import/reader/import-fixture.ts';

async function garbled(content: string | Buffer, options: FixtureOptions = {}) {
  const { result } = await importContent(content, options);
  if (!result.ok) throw new Error(result.message);
  return result.warnings.filter(({ code }) => code === 'garbled_texts').map(({ message }) => message);
}

const table = (names: readonly string[]) =>
  `sku;Bezeichnung\n${names.map((name, index) => `${index};${name}`).join('\n')}\n`;
const german = table(['Größe „Süß“', 'Öl – 5 €', 'Tür, 3 m³/h, 20 °C']);

describe('garbled texts', () => {
  test.each([
    ['UTF-8 encoded twice, read as Windows-1252', Buffer.from(iconv.decode(Buffer.from(german), 'windows-1252'))],
    ['UTF-8 encoded twice, read as Latin-1', Buffer.from(Buffer.from(german).toString('latin1'))],
    ['in UTF-7', table(['K+APw-che', 'Gr+APYA3w-e'])],
    ['in UTF-7, two adjacent letters', table(['Gr+APYA3w-e', 'Topf'])],
    ['in UTF-7, French', table(['caf+AOk-s', 'Topf'])],
    ['with replacement characters', table(['Gr\ufffd\ufffde', 'Topf'])],
    ['Russian', iconv.encode(table(['Чайник синий', 'Кружка']), 'windows-1251')],
    ['Polish', iconv.encode(table(['Żółty koń', 'Łódź śląska']), 'windows-1250')],
    ['Czech', iconv.encode(table(['Hrnec dřevěný', 'Sůl']), 'windows-1250')],
    [
      'Czech, with ř as the only letter that changes',
      iconv.encode(table(['Přikrývka', 'Stříbro', 'Hrnec']), 'windows-1250'),
    ],
    ['Croatian', iconv.encode(table(['Mješač', 'Nož']), 'windows-1250')],
    ['in MacRoman', iconv.encode(table(['Tüte', 'Topf']), 'macintosh')],
  ])('are kept, with a warning: %s', async (_, content) => {
    expect(await garbled(content)).toEqual([expect.stringContaining('„Bezeichnung“')]);
  });

  test('texts in other languages cause no warning', async () => {
    expect(await garbled(german)).toEqual([]);
    expect(await garbled(iconv.encode(german, 'windows-1252'))).toEqual([]);
    const latin = table([
      'NÃO É SÓ',
      'crème brûlée',
      'Miloš Šafář'.normalize(),
      'L’Haÿ',
      'naïveté',
      '£9',
      '½ m²',
      'AM3+AM4-Board',
      'intel+AMD-kompatibel',
      'usb+AMD-treiber',
      'rest+API-doku',
      'cpu+APU-kombi',
      'wasser+AIO-kühlung',
      'a+b',
    ]);
    expect(await garbled(latin)).toEqual([]);
    expect(
      await garbled(
        iconv.encode(
          table(['NÃO É SÓ', 'crème brûlée', 'Miloš', 'Škoda è così', 'Rødgrød', 'Nýføddur', '£9']),
          'windows-1252',
        ),
      ),
    ).toEqual([]);
    expect(await garbled(table(['Чайник синий', 'Żółty koń', 'ÀÉÈÙ']))).toEqual([]);
  });

  test('choosing the right encoding removes the warning', async () => {
    const content = iconv.encode(table(['Чайник синий']), 'windows-1251');
    expect(await garbled(content, { options: { encoding: 'windows-1251' } })).toEqual([]);
  });
});
