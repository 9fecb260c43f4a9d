/** A stretch of two compared texts: in both, only in the old one, only in the new one; a gap replaces `hidden` characters. */
export type Piece =
  | { readonly kind: 'same' | 'removed' | 'added'; readonly text: string }
  | { readonly kind: 'gap'; readonly hidden: number };
type Stretch = Exclude<Piece, { kind: 'gap' }>;

/** Characters; longer differing stretches are not compared word by word: that would be slow and help nobody. */
const compared = 3000;

let segmenter: Intl.Segmenter | undefined;

/** Splits a text into words, numbers and prices („1.299,90“) kept whole, and the blanks and punctuation between them. */
function wordsOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter('de', { granularity: 'word' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/**
 * Compares two texts word by word, in reading order. The same and the removed stretches together are the old text, the same and
 * the added ones the new text.
 */
export function wordDiff(before: string, after: string): Stretch[] {
  const ahead = commonStart(before, after);
  const commonSuffix = commonEnd(before.slice(ahead), after.slice(ahead));
  const [old, now] = [before, after].map((text) => text.slice(ahead, text.length - commonSuffix));
  return joined([
    { kind: 'same', text: before.slice(0, ahead) },
    ...middleDiff(old ?? '', now ?? ''),
    { kind: 'same', text: before.slice(before.length - commonSuffix) },
  ]);
}

/** Returns the length up to the last blank before the first difference, so that no word is split. */
function commonStart(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one[length] === other[length]) length += 1;
  if (length === one.length && length === other.length) return length;
  while (length > 0 && !isBlank(one[length - 1])) length -= 1;
  return length;
}

function commonEnd(one: string, other: string): number {
  const most = Math.min(one.length, other.length);
  let length = 0;
  while (length < most && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  while (length > 0 && !isBlank(one.at(-length))) length -= 1;
  return length;
}

const isBlank = (letter: string | undefined): boolean => letter === undefined || /\s/.test(letter);

function middleDiff(before: string, after: string): Stretch[] {
  if (before.length > compared || after.length > compared) {
    return [
      { kind: 'removed', text: before },
      { kind: 'added', text: after },
    ];
  }
  return withoutCrumbs(alignWords(wordsOf(before), wordsOf(after)));
}

/** Aligns two lists of words by their longest common subsequence. */
function alignWords(before: readonly string[], after: readonly string[]): Stretch[] {
  const width = after.length + 1;
  const lengths = new Uint16Array((before.length + 1) * width);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      lengths[row * width + column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pieces: Stretch[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    const [old, now] = [before[row], after[column]];
    if (old !== undefined && old === now) {
      pieces.push({ kind: 'same', text: old });
      row += 1;
      column += 1;
    } else if (old !== undefined && (now === undefined || at(row + 1, column) >= at(row, column + 1))) {
      pieces.push({ kind: 'removed', text: old });
      row += 1;
    } else {
      pieces.push({ kind: 'added', text: now ?? '' });
      column += 1;
    }
  }
  return pieces;
}

/** Blanks and punctuation between two changed words count as changed, too: they are read with the words. */
function withoutCrumbs(pieces: readonly Stretch[]): Stretch[] {
  const list = joined(pieces);
  return list.flatMap((piece, index): Stretch[] => {
    const inside = index > 0 && index < list.length - 1;
    if (piece.kind !== 'same' || !inside || /[\p{L}\p{N}]/u.test(piece.text)) return [piece];
    return [
      { kind: 'removed', text: piece.text },
      { kind: 'added', text: piece.text },
    ];
  });
}

/** Joins neighbours of one kind; between two common stretches the removed text comes before the added one. */
function joined(pieces: readonly Stretch[]): Stretch[] {
  const out: Stretch[] = [];
  let [removed, added] = ['', ''];
  const flush = () => {
    if (removed !== '') out.push({ kind: 'removed', text: removed });
    if (added !== '') out.push({ kind: 'added', text: added });
    [removed, added] = ['', ''];
  };
  for (const { kind, text } of pieces) {
    if (text === '') continue;
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else {
      flush();
      const last = out.at(-1);
      if (last?.kind === 'same') out[out.length - 1] = { kind, text: last.text + text };
      else out.push({ kind, text });
    }
  }
  flush();
  return out;
}

/** Characters (UTF-16 units) that stay of a long stretch: common text around a change, changed text at either end. */
const KEPT_LENGTH = { around: 48, changed: 240 } as const;

/** Folds long texts around what changed; hidden characters are counted. */
export function foldDiff(pieces: readonly Stretch[]): Piece[] {
  return pieces.flatMap((piece, index): Piece[] => {
    if (piece.kind !== 'same') return cut(piece, KEPT_LENGTH.changed, KEPT_LENGTH.changed / 2);
    const start = index === 0 ? 0 : KEPT_LENGTH.around;
    const end = index === pieces.length - 1 ? 0 : KEPT_LENGTH.around;
    // Nothing changed: the beginning is the most useful part.
    return pieces.length === 1 ? cut(piece, KEPT_LENGTH.changed, 0) : cut(piece, start, end);
  });
}

/** Keeps the given lengths of the beginning and the end, cut at a blank if there is one near. */
function cut(piece: Stretch, start: number, end: number): Piece[] {
  const { kind, text } = piece;
  // A gap must save more space than it takes.
  if (text.length <= start + end + 12) return [piece];
  const from = start === 0 ? 0 : nearBlank(text, start, -1);
  const to = end === 0 ? text.length : nearBlank(text, text.length - end, 1);
  const ends: Stretch[] = [
    { kind, text: text.slice(0, from) },
    { kind, text: text.slice(to) },
  ];
  const [first, last] = ends;
  const gap: Piece = { kind: 'gap', hidden: to - from };
  return [...(first?.text === '' ? [] : [first ?? piece]), gap, ...(last?.text === '' ? [] : [last ?? piece])];
}

function nearBlank(text: string, index: number, direction: -1 | 1): number {
  for (let step = 0; step < 16; step += 1) {
    const at = index + step * direction;
    if (isBlank(text[direction === -1 ? at - 1 : at])) return at;
  }
  // Never between the two halves of a surrogate pair.
  return /[\uDC00-\uDFFF]/.test(text[index] ?? '') ? index + 1 : index;
}
