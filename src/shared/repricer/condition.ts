/** Beginnings of main conditions, in English and in German; neuwertig is not new. */
const mains = [
  ['new', /^(?:new|neu(?![a-zäöüß])|neu(?:ware|artikel))/],
  ['used', /^(?:used|gebraucht)/],
  ['refurbished', /^refurbished|^(?:certified|manufacturer|seller)[ _-]?refurbished|general(?:ü|ue)berholt/],
  ['collectible', /^(?:collectible|sammlerst(?:ü|ue)ck)/],
  ['club', /^club/],
] as const;

/** Meaning of the numbers in Amazon's inventory report. */
const numbers: ReadonlyMap<string, string> = new Map([
  ...['1', '2', '3', '4'].map((number) => [number, 'used'] as const),
  ...['5', '6', '7', '8'].map((number) => [number, 'collectible'] as const),
  ['10', 'refurbished'],
  ['11', 'new'],
]);

/**
 * Returns the main condition, which marketplaces compare and report: 'used_like_new', 'UsedLikeNew', 'Used - Like New',
 * 'Gebraucht - Wie neu' and Amazon's '1' become 'used'. An unknown one is returned in small letters.
 */
export function mainCondition(text: string): string {
  if (text === 'new' || text === 'used') return text;
  const bare = text.normalize('NFC').trim().toLowerCase();
  const main = mains.find(([, start]) => start.test(bare))?.[0];
  return main ?? numbers.get(bare) ?? bare.split(/[\s_]/, 1)[0] ?? '';
}
