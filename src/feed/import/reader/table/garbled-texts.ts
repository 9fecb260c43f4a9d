import type { Warnings } from '#feed/import/reader/warnings.ts';

type Field = { name: string; values: readonly string[] };

/** UTF-8 read as Windows-1252 or ISO-8859-1 and encoded again, and the replacement character of earlier failed decoding. */
const encodedTwice = /[ÃÂ][\u0080-\u00bfŸŒœŠšŽž„–—…†‡ˆ‰‹›•™‚ƒ‘’“”˜€]|â(?:€|[\u0080-\u009f])|\ufffd/u;
/** UTF-7, as old mail programs wrote it: K+APw-che. Between capitals only German letters count: API and APU are words. */
const utf7 = /\p{Ll}\+A(?:MQ|NY|OQ|PY|[I-P][cgkosw048])(?:A[g-z\d+/][AQgw])?-\p{Ll}/u;
/** Other alphabets, or a Mac's umlauts, read as Windows-1252: four accented letters in a row, or signs inside words. */
const otherAlphabet = /[\u00c0-\u00ff]{4}|\p{L}[¯³¹¶±¼¾¿£¥]\p{L}|\p{L}[Ÿ§†]\p{Ll}/u;
/**
 * Czech, Slovak and Croatian as Windows-1252: č, ě, ř and ů become è, ì, ø and ù, while š, ž and ý stay. German, French, Italian and
 * Danish words do not hold both. Faroese words hold ø after ý (nýføddur), but neither before it nor before í, as Czech words do
 * (přikrývka, stříbro).
 */
const centralEuropean = /[èìù]\p{L}{0,20}[šžý]|[šžý]\p{L}{0,20}[èìù]|ø\p{L}{0,20}[šžý]|[šž]\p{L}{0,20}ø|øí/iu;
const isPlain = /^[\u0020-\u002a\u002c-\u007e\s]*$/u;

function garbledIn({ name, values }: Field, shapes: readonly RegExp[]): string | undefined {
  return [name, ...values].find((text) => !isPlain.test(text) && shapes.some((shape) => shape.test(text)));
}

/** Warns about texts with damaged umlauts; they are imported unchanged. `encoding`: with which the file was read. */
export function warnOfGarbledTexts(warnings: Warnings, fields: readonly Field[], encoding: string | undefined): void {
  const isWestern = encoding !== undefined && /8859-15?$|1252$|macintosh|850$/u.test(encoding);
  const shapes = isWestern ? [encodedTwice, otherAlphabet, centralEuropean] : [encodedTwice, utf7];
  const garbled = fields.flatMap((field) => {
    const example = garbledIn(field, shapes);
    return example === undefined ? [] : [{ name: field.name, example }];
  });
  const [first] = garbled;
  if (!first) return;
  const names = garbled
    .slice(0, 10)
    .map(({ name }) => `„${name}“`)
    .join(', ');
  const more = garbled.length > 10 ? ` und ${garbled.length - 10} weiteren` : '';
  const read = isWestern ? ` Die Datei wurde als ${encoding} gelesen.` : '';
  warnings.once(
    'garbled_texts',
    `In ${garbled.length === 1 ? 'der Spalte' : 'den Spalten'} ${names}${more} sehen Umlaute oder andere Schriftzeichen beschädigt aus („${first.example.slice(0, 60)}“).${read} Bitte wählen Sie in den Einstellungen den Zeichensatz der Datei; bleiben sie beschädigt, gingen sie schon im Export verloren.`,
  );
}
