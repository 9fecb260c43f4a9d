import { integerText } from '#shared/values/integer-text.ts';
import { SaxesParser } from 'saxes';
import { htmlEntities } from '#engine/read/html-entities.ts';
import { sizeText } from '#shared/values/size-text.ts';
import { countText, type ImportLimits } from '#feed/import/reader/limits.ts';
import { Refusal } from '#feed/import/reader/refusal.ts';
import type { Warnings } from '#feed/import/reader/warnings.ts';
import { lineBreaks, XmlRepair } from './xml-repair.ts';

export type XmlHandler = {
  open(name: string, attributes: Readonly<Record<string, string>>, line: number): void;
  text(text: string): void;
  close(): void;
};

const reasons: [RegExp, string][] = [
  [
    /unclosed tag|unexpected end|document must contain a root|unclosed root/iu,
    'Die Datei endet, bevor alle Elemente geschlossen sind. Sie ist vermutlich unvollständig übertragen worden.',
  ],
  [/unmatched closing tag|unexpected close tag/iu, 'Ein Element wird geschlossen, das nicht offen ist.'],
  [/duplicate attribute/iu, 'Ein Attribut steht doppelt in einem Element.'],
  [/text data outside/iu, 'Außerhalb des Wurzelelements steht Text.'],
  [
    /only one root/iu,
    'Hier beginnt ein zweites Wurzelelement, lesbar ist nur eines. Bitte liefern Sie alle Artikel in einem gemeinsamen Element.',
  ],
  [
    /declaration must be at/iu,
    'Hier steht eine XML-Deklaration, die nur am Anfang der Datei stehen darf. Beginnt hier ein weiteres Dokument, liefern Sie bitte alle Artikel in einem.',
  ],
];

function refuse(error: Error, line: number): never {
  const entity = /undefined entity/iu.test(error.message);
  const reason =
    reasons.find(([pattern]) => pattern.test(error.message))?.[1] ?? 'Die Datei ist kein wohlgeformtes XML.';
  throw new Refusal(
    entity ? 'xml_entity' : 'xml_syntax',
    entity
      ? `Zeile ${countText(line)}: Die Datei verwendet eine eigene Abkürzung (Entität). Solche werden zum Schutz des Servers nicht aufgelöst. Es wurde nichts importiert. Bitte liefern Sie die Werte ausgeschrieben.`
      : `Zeile ${countText(line)}: ${reason} Es wurde nichts importiert, der bisherige Stand bleibt. Bitte prüfen Sie den Export.`,
    line,
  );
}

/**
 * Parses untrusted XML into events. Nothing is fetched or expanded (a DOCTYPE is skipped, use of its entities is refused), and
 * depth, names, attributes and texts are limited (T5). Named characters of HTML, stray control characters and the errors that
 * XmlRepair corrects are tolerated with a warning.
 */
export class XmlEvents {
  private readonly parser = new SaxesParser({ xmlns: false });
  private readonly limits: ImportLimits;
  private readonly warnings: Warnings;
  private depth = 0;
  private attributes = 0;
  private quiet = 0;
  private readonly repair = new XmlRepair((what, text, at) => this.warn(what, text, at));
  private ampersands = 0;

  constructor(handler: XmlHandler, limits: ImportLimits, warnings: Warnings) {
    this.limits = limits;
    this.warnings = warnings;
    const { parser } = this;
    for (const [name, char] of htmlEntities) {
      Object.defineProperty(parser.ENTITIES, name, { get: () => this.htmlCharacter(name, char) });
    }
    parser.on('error', (error) => refuse(error, this.line));
    parser.on('opentagstart', (tag) => this.enter(tag.name));
    parser.on('attribute', (attribute) => this.countAttribute(attribute.name));
    parser.on('opentag', (tag) => handler.open(tag.name, tag.attributes, this.line));
    parser.on('text', (text) => this.heard(() => handler.text(text)));
    parser.on('cdata', (text) => this.heard(() => handler.text(text)));
    parser.on('closetag', () => {
      this.depth -= 1;
      this.heard(() => handler.close());
    });
    parser.on('comment', () => this.heard(() => undefined));
    parser.on('doctype', () => this.heard(() => undefined));
  }

  get line(): number {
    return this.parser.line + this.repair.skippedLines;
  }

  feed(text: string): void {
    // oxlint-disable-next-line no-control-regex -- XML forbids these characters
    const clean = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/gu, '');
    if (clean.length !== text.length) this.tellControls();
    const repaired = this.repair.feed(clean);
    this.quiet += repaired.length;
    this.parser.write(repaired);
    if (this.quiet > this.limits.record) this.tooLong();
  }

  end(): void {
    this.parser.write(this.repair.end());
    this.parser.close();
  }

  private tellControls(): void {
    this.warnings.once(
      'xml_control_characters',
      'Die Datei enthielt Steuerzeichen, die in XML nicht erlaubt sind. Sie wurden entfernt.',
    );
  }

  /** `at`: offset in a text that begins at the parser's position. */
  private warn(what: 'ampersand' | 'character' | 'declaration', text: string, at: number): void {
    if (what === 'character') this.tellControls();
    else if (what === 'declaration')
      this.warnings.once(
        'xml_late_declaration',
        'Vor der XML-Deklaration stehen Leerzeichen oder leere Zeilen. Sie wurden übergangen.',
      );
    else {
      this.ampersands += 1;
      const lines = this.ampersands > 1 ? 0 : lineBreaks(text.slice(0, at));
      this.warnings.count(
        'xml_bare_ampersand',
        this.line + lines,
        (count, first) =>
          `${countText(count)} Mal steht in der Datei das Zeichen & statt &amp; (zuerst Zeile ${countText(first ?? 0)}). Es wurde als Zeichen gelesen.`,
      );
    }
  }

  private heard(act: () => void): void {
    this.quiet = 0;
    act();
  }

  private enter(name: string): void {
    this.quiet = 0;
    this.attributes = 0;
    this.depth += 1;
    if (this.depth > this.limits.depth)
      this.limit('xml_too_deep', `mehr als ${this.limits.depth} verschachtelte Elemente`);
    if (name.length > this.limits.name)
      this.limit('xml_name_too_long', `Elementnamen mit mehr als ${integerText(this.limits.name)} Zeichen`);
  }

  private countAttribute(name: string): void {
    this.attributes += 1;
    if (this.attributes > this.limits.attributes)
      this.limit('xml_too_many_attributes', `mehr als ${this.limits.attributes} Attribute an einem Element`);
    if (name.length > this.limits.name)
      this.limit('xml_name_too_long', `Attributnamen mit mehr als ${integerText(this.limits.name)} Zeichen`);
  }

  private limit(code: string, what: string): never {
    throw new Refusal(
      code,
      `Zeile ${countText(this.line)}: Die XML-Datei hat ${what}. Das wird zum Schutz des Servers abgelehnt. Es wurde nichts importiert.`,
      this.line,
    );
  }

  private tooLong(): never {
    throw new Refusal(
      'value_too_long',
      `Zeile ${countText(this.line)}: Ein Wert ist größer als ${sizeText(this.limits.record)}. Es wurde nichts importiert. Bitte prüfen Sie die Datei.`,
      this.line,
    );
  }

  private htmlCharacter(name: string, char: string): string {
    this.warnings.count(
      'html_entities',
      this.line,
      (count, first) =>
        `${countText(count)} HTML-Zeichen wie „&${name};“ sind in XML nicht erlaubt; sie wurden umgewandelt (zuerst Zeile ${first}).`,
    );
    return char;
  }
}
