/** A keyboard shortcut as the sheet shows it. */
export type Shortcut = { keys: readonly string[]; does: string };

/** Every shortcut of the program, grouped by where it works; add new ones here. */
export const shortcuts: readonly { where: string; list: readonly Shortcut[] }[] = [
  {
    where: 'Überall',
    list: [
      { keys: ['Strg', 'K'], does: 'Suchen: Seiten, Regeln, Exporte und Artikel' },
      { keys: ['?'], does: 'Diese Übersicht zeigen' },
      { keys: ['Esc'], does: 'Dialog, Menü oder Suche schließen' },
    ],
  },
  {
    where: 'In Formularen',
    list: [
      { keys: ['Strg', 'S'], does: 'Speichern' },
      { keys: ['Strg', 'Z'], does: 'Rückgängig' },
      { keys: ['Strg', 'Y'], does: 'Wiederholen, ebenso Strg + Umschalt + Z' },
    ],
  },
  {
    where: 'In Listen, auf dem Griff einer Zeile',
    list: [
      { keys: ['Alt', 'Pfeil hoch'], does: 'Zeile nach oben' },
      { keys: ['Alt', 'Pfeil runter'], does: 'Zeile nach unten' },
      { keys: ['Eingabe'], does: 'Menü zum Verschieben' },
      { keys: ['Leertaste'], does: 'Zeile aufnehmen, mit den Pfeilen bewegen und ablegen' },
    ],
  },
  {
    where: 'In Tabellen',
    list: [
      { keys: ['F2'], does: 'Zelle bearbeiten' },
      { keys: ['Eingabe'], does: 'Zelle übernehmen; in Zuordnungen zur nächsten Zeile, mit Umschalt zur vorigen' },
      {
        keys: ['Pfeil links', 'Pfeil rechts'],
        does: 'Spalte schmaler oder breiter, auf ihrem Rand; Entf setzt sie zurück',
      },
    ],
  },
  {
    where: 'In Diagrammen',
    list: [
      { keys: ['Pfeil links', 'Pfeil rechts'], does: 'Ein Tag zurück oder vor; Bild auf und Bild ab eine Woche' },
      { keys: ['Pfeil hoch', 'Pfeil runter'], does: 'Andere Linie' },
      { keys: ['Pos1', 'Ende'], does: 'Erster oder letzter Tag' },
    ],
  },
];
