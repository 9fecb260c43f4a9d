/**
 * Where buyers see an article. Amazon's marketplaces are called by the host of their pages; of others no address is known.
 */
export function productAddress(marketplaceName: string, asin: string): string | undefined {
  const host = marketplaceName.trim().toLowerCase();
  if (asin === '' || !/^amazon(\.[a-z]{2,3}){1,2}$/.test(host)) return undefined;
  return `https://www.${host}/dp/${encodeURIComponent(asin)}`;
}
