/** Names of countries as people and older programs write them, which no official list has. */
const others: Readonly<Record<string, string>> = {
  d: 'DE',
  brd: 'DE',
  a: 'AT',
  uk: 'GB',
  england: 'GB',
  'great britain': 'GB',
  großbritannien: 'GB',
  grossbritannien: 'GB',
  holland: 'NL',
  'the netherlands': 'NL',
  'united states of america': 'US',
  oesterreich: 'AT',
  daenemark: 'DK',
  rumaenien: 'RO',
  'tschechische republik': 'CZ',
  'czech republic': 'CZ',
  slowakei: 'SK',
  deu: 'DE',
  ger: 'DE',
  aut: 'AT',
  bel: 'BE',
  bgr: 'BG',
  che: 'CH',
  cyp: 'CY',
  cze: 'CZ',
  dnk: 'DK',
  esp: 'ES',
  est: 'EE',
  fin: 'FI',
  fra: 'FR',
  gbr: 'GB',
  grc: 'GR',
  hrv: 'HR',
  hun: 'HU',
  irl: 'IE',
  isl: 'IS',
  ita: 'IT',
  lie: 'LI',
  ltu: 'LT',
  lux: 'LU',
  lva: 'LV',
  mlt: 'MT',
  nld: 'NL',
  nor: 'NO',
  pol: 'PL',
  prt: 'PT',
  rou: 'RO',
  svk: 'SK',
  svn: 'SI',
  swe: 'SE',
  usa: 'US',
};

let names: ReadonlyMap<string, string> | undefined;

/** Returns country codes by German and English name, in small letters. */
function countryNames(): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const letters = Array.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ');
  const codes = letters.flatMap((first) => letters.map((second) => first + second));
  for (const language of ['en', 'de']) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of codes) {
      // Codes of former countries resolve to others; ZZ is no country.
      if (code === 'ZZ' || Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
      const name = display.of(code);
      if (name !== undefined) found.set(name.toLowerCase(), code);
    }
  }
  for (const [name, code] of Object.entries(others)) found.set(name, code);
  return found;
}

/** Returns the two-letter code of a country from its code or its German or English name; '' if unknown. */
export function countryCode(text: string): string {
  const name = text.trim().toLowerCase();
  if (name === '') return '';
  names ??= countryNames();
  return names.get(name) ?? (/^[a-z]{2}$/.test(name) ? name.toUpperCase() : '');
}
