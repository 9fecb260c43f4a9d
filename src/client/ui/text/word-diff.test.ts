import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldDiff, type Piece, wordDiff } from './word-diff.ts';
import { processorMs } from '../../../../test/stages/processor-time.ts';

const marks = { same: '', removed: '-', added: '+' } as const;
const written = (pieces: readonly Piece[]) =>
  pieces.map((piece) => (piece.kind === 'gap' ? `…${piece.hidden}` : `${marks[piece.kind]}[${piece.text}]`)).join('');
const diff = (before: string, after: string) => written(wordDiff(before, after));

describe('word diff', () => {
  it('RUL-11 marks whole words, also at the beginning and the end', () => {
    expect(diff('BOSCH Hammer rot', 'Bosch Hammer rot')).toBe('-[BOSCH]+[Bosch][ Hammer rot]');
    expect(diff('Hammer', 'Hammer rot')).toBe('[Hammer]+[ rot]');
    expect(diff('Akku-Bohrschrauber inkl. Koffer', 'Akku-Bohrschrauber')).toBe('[Akku-Bohrschrauber]-[ inkl. Koffer]');
    expect(diff('', 'neu')).toBe('+[neu]');
    expect(diff('alt', '')).toBe('-[alt]');
    expect(diff('gleich', 'gleich')).toBe('[gleich]');
  });

  it('RUL-11 a number or a price is one word', () => {
    expect(diff('nur 1.299,90 €', 'nur 1.199,90 €')).toBe('[nur ]-[1.299,90]+[1.199,90][ €]');
    expect(diff('12.50', '12.05')).toBe('-[12.50]+[12.05]');
    expect(diff('3,5kg netto', '3,7kg netto')).toBe('-[3,5kg]+[3,7kg][ netto]');
  });

  it('RUL-11 includes blanks between changed words in the change; a blank alone can be changed too', () => {
    expect(diff('ein roter Ball', 'ein blauer Würfel')).toBe('[ein ]-[roter Ball]+[blauer Würfel]');
    expect(diff('a  b', 'a b')).toBe('[a ]-[ ][b]');
    expect(diff('a\nb', 'a b')).toBe('[a]-[\n]+[ ][b]');
  });

  it('RUL-11 folds long texts around the change, and long changes themselves', () => {
    const long = Array.from({ length: 200 }, (_, index) => `Wort${index}`).join(' ');
    const folded = foldDiff(wordDiff(`${long} alt ${long}`, `${long} neu ${long}`));
    expect(folded.map(({ kind }) => kind)).toEqual(['gap', 'same', 'removed', 'added', 'same', 'gap']);
    expect(written(folded).length).toBeLessThan(200);
    const [same, gap] = foldDiff(wordDiff(long, long));
    expect(same?.kind === 'same' && same.text.startsWith('Wort0 ')).toBe(true);
    expect(gap?.kind).toBe('gap');
    const replaced = foldDiff(wordDiff('x'.repeat(100_000), 'y'.repeat(50_000)));
    expect(replaced.reduce((sum, piece) => sum + (piece.kind === 'gap' ? 0 : piece.text.length), 0)).toBeLessThan(1000);
  });

  const word = fc.constantFrom('rot', 'Ball', '12,50', '€', ' ', '  ', '\n', '-', 'é', '👍🏽', '‍', 'ß', '<b>');
  const text = fc.array(word, { maxLength: 25 }).map((words) => words.join(''));

  it('RUL-11 unchanged and removed pieces form the old text, unchanged and added ones the new text', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = wordDiff(before, after);
        const without = (kind: Piece['kind']) =>
          pieces.map((piece) => (piece.kind === kind ? '' : piece.text)).join('');
        expect(without('added')).toBe(before);
        expect(without('removed')).toBe(after);
        pieces.slice(1).forEach((piece, index) => expect(piece.kind).not.toBe(pieces[index]?.kind));
      }),
    );
  });

  it('RUL-11 folding reports exactly the number of characters that it hides', () => {
    const many = fc.array(word, { maxLength: 400 }).map((words) => words.join(''));
    fc.assert(
      fc.property(many, many, (before, after) => {
        const pieces = wordDiff(before, after);
        const sizes = (list: readonly Piece[]) =>
          list.reduce((sum, piece) => sum + (piece.kind === 'gap' ? piece.hidden : piece.text.length), 0);
        expect(sizes(foldDiff(pieces))).toBe(sizes(pieces));
      }),
    );
  });

  it('RUL-11 compares texts of a million characters in less than a second', async () => {
    const long = 'Wort '.repeat(200_000);
    const took = await processorMs(() => {
      foldDiff(wordDiff(`${long}alt ${long}`, `${long}neu ${long}`));
      foldDiff(wordDiff(`alt ${long}alt`, `neu ${long}neu`));
    });
    expect(took).toBeLessThan(1000);
  });
});
