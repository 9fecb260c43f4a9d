/**
 * Returns the address of an article's page for buyers. Amazon's marketplaces are named by the host of
 * their pages; for others no address is known.
 */
export function productAddress(marketplaceName: string, asin: string): string | undefined {
  const host = marketplaceName.trim().toLowerCase();
  if (asin === '' || !/^amazon(\.[a-z]{2,3}){1,2}$/.test(host)) return undefined;
  return `https://www.${host}/dp/${encodeURIComponent(asin)}`;
}
