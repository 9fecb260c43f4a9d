/** Basic colours and other words that merchants use for shades of them, German and English. */
const shades: Readonly<Record<string, string>> = {
  Beige:
    'sand creme cremefarben nude camel elfenbein ecru champagner taupe khaki hautfarben offwhite ivory natur naturfarben',
  Schwarz: 'black onyx tiefschwarz schwarzgrau obsidian noir',
  Blau: 'blue navy marine marineblau dunkelblau hellblau royalblau royal himmelblau eisblau petrol denim jeansblau indigo azur kobaltblau nachtblau stahlblau',
  Bronze: 'bronzefarben bronce',
  Braun:
    'brown dunkelbraun hellbraun schoko schokobraun kaffee mokka nussbaum haselnuss cognac kastanie rostbraun tan walnuss',
  Transparent: 'klar durchsichtig clear glasklar farblos',
  Gold: 'golden goldfarben goldgelb rosegold rosegolden roségold',
  Grau: 'grey gray anthrazit dunkelgrau hellgrau silbergrau graphit schiefer asche aschgrau steingrau platin charcoal',
  Grün: 'green dunkelgrün hellgrün oliv olive olivgrün mint mintgrün tannengrün smaragd grasgrün waldgrün lime limette salbei',
  Marineblau: 'marine navy',
  Mehrfarbig: 'bunt multicolor multicolour mehrfarben multi colorful farbmix gemischt',
  Orange: 'apricot aprikose terracotta terrakotta koralle mandarine pfirsich kürbis',
  Rosa: 'pink rose altrosa rosé magenta fuchsia zartrosa hellrosa himbeere lachs flamingo',
  Pink: 'magenta fuchsia neonpink himbeere',
  Lila: 'violett purple flieder aubergine lavendel pflaume mauve purpur',
  Violett: 'lila purple flieder aubergine lavendel pflaume',
  Rot: 'red dunkelrot hellrot bordeaux weinrot burgund rubin kirschrot karmin scharlach feuerrot ziegelrot',
  Silber: 'silver silbern silberfarben chrom edelstahl',
  Türkis: 'turquoise aqua cyan aquamarin petrol',
  Weiß: 'white weiss offwhite altweiß cremeweiß reinweiß schneeweiß',
  Gelb: 'yellow hellgelb zitronengelb sonnengelb senf senfgelb currygelb neongelb',
};

/**
 * Returns other words for the colours of a channel's list: 'anthrazit' leads to 'Grau' if the list contains it. Keys are in the
 * normalised spelling in which names are compared.
 */
export function colorWords(names: readonly string[], plain: (text: string) => string): ReadonlyMap<string, string> {
  const offered = new Map(names.map((name) => [plain(name), name]));
  const words = new Map<string, string>();
  for (const [color, others] of Object.entries(shades)) {
    const target =
      offered.get(plain(color)) ??
      others
        .split(' ')
        .map((word) => offered.get(plain(word)))
        .find((name) => name !== undefined);
    if (target === undefined) continue;
    for (const word of [color, ...others.split(' ')]) {
      const key = plain(word);
      // A shade that is in the list itself needs no other word.
      if (!offered.has(key) && !words.has(key)) words.set(key, target);
    }
  }
  return words;
}
