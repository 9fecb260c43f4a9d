const latin1 =
  'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml';
const others =
  'OElig=338 oelig=339 Scaron=352 scaron=353 Yuml=376 fnof=402 circ=710 tilde=732 ensp=8194 emsp=8195 thinsp=8201 zwnj=8204 zwj=8205 ndash=8211 mdash=8212 lsquo=8216 rsquo=8217 sbquo=8218 ldquo=8220 rdquo=8221 bdquo=8222 dagger=8224 Dagger=8225 bull=8226 hellip=8230 permil=8240 prime=8242 Prime=8243 lsaquo=8249 rsaquo=8250 euro=8364 trade=8482 larr=8592 uarr=8593 rarr=8594 darr=8595 harr=8596 rArr=8658 minus=8722 infin=8734 asymp=8776 ne=8800 le=8804 ge=8805 alpha=945 beta=946 gamma=947 delta=948 mu=956 pi=960 sigma=963 omega=969 Delta=916 Omega=937';
// The remaining entities of HTML 4, the Latin letters of HTML 5 (for European brand names), and HTML 5 signs that editors write.
const symbols =
  'Alpha=913 Beta=914 Gamma=915 Epsilon=917 Zeta=918 Eta=919 Theta=920 Iota=921 Kappa=922 Lambda=923 Mu=924 Nu=925 Xi=926 Omicron=927 Pi=928 Rho=929 Sigma=931 Tau=932 Upsilon=933 Phi=934 Chi=935 Psi=936 epsilon=949 zeta=950 eta=951 theta=952 iota=953 kappa=954 lambda=955 nu=957 xi=958 omicron=959 rho=961 sigmaf=962 tau=964 upsilon=965 phi=966 chi=967 psi=968 thetasym=977 upsih=978 piv=982 lrm=8206 rlm=8207 oline=8254 frasl=8260 image=8465 weierp=8472 real=8476 alefsym=8501 crarr=8629 lArr=8656 uArr=8657 dArr=8659 hArr=8660 forall=8704 part=8706 exist=8707 empty=8709 nabla=8711 isin=8712 notin=8713 ni=8715 prod=8719 sum=8721 lowast=8727 radic=8730 prop=8733 ang=8736 and=8743 or=8744 cap=8745 cup=8746 int=8747 there4=8756 sim=8764 cong=8773 equiv=8801 sub=8834 sup=8835 nsub=8836 sube=8838 supe=8839 oplus=8853 otimes=8855 perp=8869 sdot=8901 lceil=8968 rceil=8969 lfloor=8970 rfloor=8971 loz=9674 spades=9824 clubs=9827 hearts=9829 diams=9830 lang=10216 rang=10217';
const latinExtended =
  'Amacr=256 amacr=257 Abreve=258 abreve=259 Aogon=260 aogon=261 Cacute=262 cacute=263 Ccirc=264 ccirc=265 Cdot=266 cdot=267 Ccaron=268 ccaron=269 Dcaron=270 dcaron=271 Dstrok=272 dstrok=273 Emacr=274 emacr=275 Edot=278 edot=279 Eogon=280 eogon=281 Ecaron=282 ecaron=283 Gcirc=284 gcirc=285 Gbreve=286 gbreve=287 Gdot=288 gdot=289 Gcedil=290 Hcirc=292 hcirc=293 Hstrok=294 hstrok=295 Itilde=296 itilde=297 Imacr=298 imacr=299 Iogon=302 iogon=303 Idot=304 imath=305 inodot=305 IJlig=306 ijlig=307 Jcirc=308 jcirc=309 Kcedil=310 kcedil=311 kgreen=312 Lacute=313 lacute=314 Lcedil=315 lcedil=316 Lcaron=317 lcaron=318 Lmidot=319 lmidot=320 Lstrok=321 lstrok=322 Nacute=323 nacute=324 Ncedil=325 ncedil=326 Ncaron=327 ncaron=328 napos=329 ENG=330 eng=331 Omacr=332 omacr=333 Odblac=336 odblac=337 Racute=340 racute=341 Rcedil=342 rcedil=343 Rcaron=344 rcaron=345 Sacute=346 sacute=347 Scirc=348 scirc=349 Scedil=350 scedil=351 Tcedil=354 tcedil=355 Tcaron=356 tcaron=357 Tstrok=358 tstrok=359 Utilde=360 utilde=361 Umacr=362 umacr=363 Ubreve=364 ubreve=365 Uring=366 uring=367 Udblac=368 udblac=369 Uogon=370 uogon=371 Wcirc=372 wcirc=373 Ycirc=374 ycirc=375 Zacute=377 zacute=378 Zdot=379 zdot=380 Zcaron=381 zcaron=382 imped=437 gacute=501 jmath=567';
const signs =
  'AMP=38 LT=60 GT=62 QUOT=34 COPY=169 REG=174 TRADE=8482 NewLine=10 Tab=9 excl=33 num=35 dollar=36 percnt=37 lpar=40 rpar=41 comma=44 period=46 sol=47 colon=58 semi=59 equals=61 quest=63 commat=64 lsqb=91 rsqb=93 lbrack=91 rbrack=93 lcub=123 rcub=125 lbrace=123 rbrace=125 bsol=92 lowbar=95 verbar=124 vert=124 grave=96 Hat=94 half=189 pm=177 div=247 die=168 NonBreakingSpace=160 numsp=8199 puncsp=8200 hairsp=8202 ThinSpace=8201 ZeroWidthSpace=8203 hyphen=8208 dash=8208 horbar=8213 rsquor=8217 ldquor=8222 rdquor=8221 lsquor=8218 bullet=8226 nldr=8229 vellip=8942 caret=8257 numero=8470 incare=8453 ohm=937 frac13=8531 frac23=8532 frac15=8533 frac25=8534 frac35=8535 frac45=8536 frac16=8537 frac56=8538 frac18=8539 frac38=8540 frac58=8541 frac78=8542 check=10003 checkmark=10003 cross=10007 star=9734 starf=9733 bigstar=9733 phone=9742 female=9792 male=9794 sung=9834 flat=9837 natural=9838 sharp=9839 squ=9633 square=9633 squf=9642 blacksquare=9642 utri=9653 utrif=9652 dtri=9663 dtrif=9662 rtri=9657 rtrif=9656 ltri=9667 ltrif=9666 cir=9675 rightarrow=8594 leftarrow=8592 RightArrow=8594 LeftArrow=8592 UpArrow=8593 DownArrow=8595 leq=8804 geq=8805 approx=8776 Integral=8747 hbar=8463';

/** Named characters of HTML that occur in feeds, without the five that XML also has. */
export const htmlEntities: ReadonlyMap<string, string> = new Map([
  ...latin1.split(' ').map((name, index): [string, string] => [name, String.fromCodePoint(160 + index)]),
  ...[others, symbols, latinExtended, signs]
    .flatMap((list) => list.split(' '))
    .map((entry): [string, string] => {
      const [name = '', code = '0'] = entry.split('=');
      return [name, String.fromCodePoint(Number(code))];
    }),
]);

/** The five named characters that XML also has. */
export const basicEntities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Replaces the character references of an HTML text by their characters; unknown ones stay as they are. */
export function decodeHtml(text: string): string {
  return text.replaceAll(/&(#x[\da-f]{1,6}|#\d{1,7}|[a-z][a-z\d]{1,30});/giu, (whole, name: string) => {
    if (!name.startsWith('#')) return basicEntities[name] ?? htmlEntities.get(name) ?? whole;
    const code = name[1]?.toLowerCase() === 'x' ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    const valid = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
    return valid ? String.fromCodePoint(code) : whole;
  });
}
