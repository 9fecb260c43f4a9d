const mains = ['new', 'used', 'refurbished', 'collectible', 'club'] as const;

/**
 * 'used_like_new', 'UsedLikeNew' and 'Used - Like New' are kinds of 'used': marketplaces compare and tell main conditions. One that is none of
 * theirs stays as it is, in small letters.
 */
export function mainCondition(text: string): string {
  if (text === 'new' || text === 'used') return text;
  const bare = text.trim().toLowerCase();
  return mains.find((main) => bare.startsWith(main)) ?? bare.split(/[\s_]/, 1)[0] ?? '';
}
