import type { Locator, Page } from 'playwright-core';
import { api } from '#shared/http/api.ts';
import { type Action, type Condition, newAction, newCondition, newRule, type Rule } from '#shared/rules/schema.ts';
import { type PageOptions, signIn, type Stage, visit } from '../browser.ts';
import { masterWith } from '../kontor.ts';

export const catalogue = [
  'sku;titel;marke;preis',
  'A-1;Hammer;BOSCH;12,50',
  'A-2;Zange;BOSCH;0',
  'A-3;Säge;Wolf;7,90',
  'A-4;=SUMME(A1);Wolf;-3',
  '',
].join('\n');

let made = 0;
const nextId = () => `Regel${String((made += 1)).padStart(5, '0')}`;

/** Returns a rule as the form creates it, with the given properties. */
export function rule(
  name: string,
  deps: { active?: boolean; query?: Partial<Condition>; action?: Partial<Action> } = {},
): Rule {
  return {
    ...newRule(nextId),
    name,
    active: deps.active ?? true,
    querys: [{ ...newCondition(nextId), ...deps.query }],
    actions: [{ ...newAction(nextId), ...deps.action }],
  };
}

/** Creates a catalogue with these rules and opens its rule screen, signed in. */
export async function openRules(
  stage: Stage,
  rules: Rule[],
  { csv = catalogue, ...options }: PageOptions & { csv?: string } = {},
): Promise<{ page: Page; masterid: string; stored: () => Promise<Rule[]> }> {
  const { kontor } = stage;
  const masterid = await masterWith(kontor, csv, { key: 'sku' });
  if (rules.length > 0) await kontor.ask(api.saveMasterRules, { params: { masterid }, body: rules });
  const page = await stage.openPage(options);
  await signIn(page);
  if (options.javaScript === false) await page.goto(`/master/${masterid}/regeln`);
  else await visit(page, `/master/${masterid}/regeln`);
  return { page, masterid, stored: () => kontor.ask(api.masterRules, { params: { id: masterid } }) };
}

/** Returns the list of rules. */
export const ruleList = (page: Page): Locator => page.getByRole('navigation', { name: 'Regeln, von oben nach unten' });

/** The line below a name that says what the rule does; it appears a moment after the name. */
const countLine = /\n(?:\u00a0|[\d.]+\s(?:getroffen|geändert|ausgeschlossen).*)$/;

/** Returns number and name of each rule in the list and whether it is paused, top to bottom. */
export async function listedRules(page: Page): Promise<string[]> {
  const texts = await ruleList(page).getByRole('link').allInnerTexts();
  return texts.map((text) => text.replace(countLine, '').trimEnd());
}

/** Chooses a field in a picker by typing its full name. */
export async function pickField(picker: Locator, name: string): Promise<void> {
  await picker.click();
  await picker.fill(name);
  // After a name there may be an example of its values, or their origin.
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const named = new RegExp(`^${literal}(\\s(z\\.\\sB\\.|aus ein).*)?$`);
  // A merchant's field may have the name of an internal one; his own come first.
  await picker.page().getByRole('option', { name: named }).first().click();
}

/** Saves by the button and waits for the confirmation. */
export async function saveRules(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Speichern', exact: true });
  await button.click();
  await button.waitFor({ state: 'detached' });
  // An earlier confirmation may still be visible.
  await page.getByRole('status').getByText('Gespeichert', { exact: true }).last().waitFor();
}
