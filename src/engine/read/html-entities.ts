const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const others =
  'OElig=338 oelig=339 Scaron=352 scaron=353 Yuml=376 Zcaron=381 zcaron=382 fnof=402 circ=710 tilde=732 ensp=8194 emsp=8195 thinsp=8201 zwnj=8204 zwj=8205 ndash=8211 mdash=8212 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 bdquo=8222 dagger=8224 Dagger=8225 bull=8226 hellip=8230 permil=8240 prime=8242 Prime=8243 lsaquo=8249 rsaquo=8250 euro=8364 trade=8482 larr=8592 uarr=8593 rarr=8594 darr=8595 harr=8596 rArr=8658 minus=8722 infin=8734 asymp=8776 ne=8800 le=8804 ge=8805 alpha=945 beta=946 gamma=947 delta=948 mu=956 pi=960 sigma=963 omega=969 Delta=916 Omega=937 spades=9824 clubs=9827 hearts=9829 diams=9830 check=10003 star=9734 starf=9733 hyphen=8208 num=35 excl=33 quest=63 lpar=40 rpar=41 comma=44 period=46 colon=58 semi=59 plus=43 equals=61 percnt=37 sol=47 ast=42 commat=64 dollar=36 lsqb=91 rsqb=93 lowbar=95 verbar=124 Ccaron=268 ccaron=269 Rcaron=344 rcaron=345 Ecaron=282 ecaron=283 Lstrok=321 lstrok=322 Aogon=260 aogon=261 Eogon=280 eogon=281 Nacute=323 nacute=324 Sacute=346 sacute=347 Zacute=377 zacute=378 Zdot=379 zdot=380';

/** Named characters of HTML that turn up in feeds; the five of XML are not among them. */
export const htmlEntities: ReadonlyMap<string, string> = new Map([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...others.split(' ').map((entry): [string, string] => {
    const [name = '', code = '0'] = entry.split('=');
    return [name, String.fromCodePoint(Number(code))];
  }),
]);

/** The five that XML knows too. */
export const basicEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Text of HTML with its character references resolved; unknown ones stay as they are. */
export function decodeHtml(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,30});/giu, (whole, name: string) => {
    if (!name.startsWith('#')) return basicEntities[name] ?? htmlEntities.get(name) ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : whole;
  });
}
