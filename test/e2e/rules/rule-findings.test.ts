import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '#shared/http/api.ts';
import type { Rule } from '#shared/rules/schema.ts';
import { mapped } from '../../stages/feed/assignment-page.ts';
import { importFile, masterWith, testKontor, type TestKontor } from '../../stages/kontor.ts';
import { exclude, rule, set, when, type Deps } from '../../stages/feed/rules.ts';

const head = 'sku;titel;preis;marke';
const items = ['A-1;Bohrer;12,50;BOSCH', 'A-2;Säge;9,90;bosch', 'A-3;Müllsack;1;', 'A-4;Hammer;1.299,90;Fjord'];
const csv = [`${head};farbe`, ...items.map((line) => `${line};rot`), ''].join('\n');
const without = [head, ...items, ''].join('\n');

const append = (field: string, value: string): Deps => ({ ...set(field, value), select: 'append' });
const all = [when('@ALL@')];

describe('findings on the rules of a catalogue', () => {
  let kontor: TestKontor;
  let masterid: string;
  let exportid: string;
  beforeAll(async () => {
    kontor = await testKontor();
    masterid = await masterWith(kontor, csv);
    await importFile(kontor, masterid, { name: 'artikel.csv', bytes: without }, {});
    const made = { name: 'Export', format: { kind: 'jsonl' as const } };
    exportid = (await kontor.ask(api.createExport, { params: { masterid }, body: made })).id;
  });
  afterAll(() => kontor.close());

  const check = async (rules: Rule[], id = masterid) => {
    const { findings } = await kontor.ask(api.ruleFindings, { params: { masterid: id }, body: { rules } });
    return findings.map(({ ruleId, code, message, other }) => [ruleId.replace(/0+$/, ''), code, message, other?.name]);
  };

  it('working rules have no findings, nor does a default followed by an exception', async () => {
    expect(
      await check([
        rule('Versand', all, [set('versand', '4,90')]),
        rule('Teuer', [when('preis', 'is_greater_than', '50')], [set('versand', '0')]),
        rule('Marke', [when('marke', 'is_equal', 'bosch')], [set('marke', 'Bosch')]),
        rule('Raus', [when('titel', 'contains', 'sack')], [exclude]),
      ]),
    ).toEqual([]);
  });

  it('never_holds names the condition that no item meets', async () => {
    expect(await check([rule('Nie', [when('titel', 'contains', 'xyz')], [exclude])])).toEqual([
      ['Nie', 'never_holds', 'Keiner der 4 Artikel, die die Regel erreichen, erfüllt: titel enthält „xyz“.', undefined],
    ]);
  });

  it('changes_nothing: the rule matches, but every value is already set', async () => {
    expect(await check([rule('Schon', [when('marke', 'is_equal', 'fjord')], [set('marke', 'Fjord')])])).toEqual([
      [
        'Schon',
        'changes_nothing',
        'Die Regel trifft auf 1 Artikel zu, ändert aber keinen: die Werte sind dort schon so.',
        undefined,
      ],
    ]);
  });

  it('shadowed: another rule, also one of the master, excludes the items or changes the tested field', async () => {
    const bosch = rule('Bosch', [when('marke', 'is_equal', 'bosch')], [set('titel', 'x')]);
    const gone = rule('Ohne', [when('marke', 'is_equal', 'bosch')], [exclude]);
    const changed = rule('Neu', [when('titel', 'is_not_empty')], [set('marke', 'Eigen')]);
    expect(await check([gone, bosch])).toEqual([
      [
        'Bosch',
        'shadowed',
        'Auf 2 Artikeln träfe die Regel zu, wie sie aus dem Import kommen; an ihrer Stelle trifft sie auf keinen zu. Regel „Ohne“ schließt diese alle vorher aus.',
        'Ohne',
      ],
    ]);
    const [first] = await check([changed, bosch]);
    expect(first?.slice(0, 2)).toEqual(['Bosch', 'shadowed']);
    expect(first?.[2]).toContain('Regel „Neu“ ändert vorher dort Felder, nach denen diese Regel fragt.');
    await kontor.ask(api.saveRules, { params: { masterid }, body: [gone] });
    const { findings } = await kontor.ask(api.ruleFindings, {
      params: { masterid: exportid },
      body: { rules: [bosch] },
    });
    expect(findings).toMatchObject([{ code: 'shadowed', other: { ruleId: gone.id, name: 'Ohne', scope: 'above' } }]);
    await kontor.ask(api.saveRules, { params: { masterid }, body: [] });
  });

  it('overwritten: a later rule overwrites everything before it is read', async () => {
    const first = rule('Erst', [when('marke', 'is_equal', 'bosch')], [append('marke', '!')]);
    const second = rule('Dann', all, [set('marke', 'Eigen')]);
    expect(await check([first, second])).toEqual([
      [
        'Erst',
        'overwritten',
        'Alles, was die Regel schreibt (marke), überschreibt Regel „Dann“ danach auf allen 2 Artikeln wieder, ehe es jemand liest.',
        'Dann',
      ],
    ]);
    const reader = rule('Leser', [when('marke', 'contains', '!')], [set('titel', 'gelesen')]);
    expect(await check([first, reader, second])).toEqual([]);
  });

  it('field_gone: a field that the last import lacks, or that never existed', async () => {
    const asks = rule('Farbe', [when('farbe', 'contains', 'rot')], [set('titel', 'x')]);
    const reads = rule('Liest', all, [{ field: 'titel', select: 'copy', value: [{ type: '_field', value: 'nie' }] }], {
      active: false,
    });
    expect(await check([asks, reads])).toEqual([
      [
        'Farbe',
        'field_gone',
        'Die Regel fragt das Feld „farbe“ ab, aber der letzte Import hat das Feld nicht mehr.',
        undefined,
      ],
      ['Liest', 'field_gone', 'Die Regel liest das Feld „nie“, aber das Feld gibt es im Katalog nicht.', undefined],
    ]);
    expect(await check([rule('Macht', all, [set('farbe', 'rot')]), asks])).toEqual([]);
  });

  it('field_gone: a mapping that is paused, that does not exist, or that runs later', async () => {
    const reads = rule('Liest', all, [
      { field: 'titel', select: 'copy', value: [{ type: '_field', value: '_mapping:Stoffe' }] },
    ]);
    const asks = rule('Fragt', [when('_mapping:Stoffe', 'contains', 'Wolle')], [set('titel', 'x')]);
    const what = ['Die Regel liest das Mapping „Stoffe“, aber ', 'Die Regel fragt das Mapping „Stoffe“ ab, aber '];
    const told = async (id: string) =>
      (await check([reads, asks], id)).flatMap(([, code, message]) => (code === 'field_gone' ? [message] : []));
    const gone = 'dieses Mapping gibt es nicht (mehr). Wählen Sie eine andere Quelle, oder legen Sie das Mapping an.';
    expect(await told(exportid)).toEqual(what.map((text) => text + gone));
    const params = { masterid, mappingid: 'Stoffe0001' };
    const save = (active: boolean) =>
      kontor.ask(api.saveMapping, {
        params,
        body: { name: 'Stoffe', active, data: [mapped('1', 'marke', 'bosch', 'Wolle')] },
      });
    await save(false);
    const paused = 'dieses Mapping ist pausiert und liefert keinen Wert. Aktivieren Sie es unter „Mappings“.';
    expect(await told(exportid)).toEqual(what.map((text) => text + paused));
    // Activating it would not help there.
    expect((await told(masterid))[0]).toContain('Mappings laufen erst nach den Regeln des Katalogs');
    await save(true);
    expect(await told(exportid)).toEqual([]);
    expect((await told(masterid))[0]).toContain('Mappings laufen erst nach den Regeln des Katalogs');
  });

  it('never_holds: where the rules of the master exclude all items, no rule of the export is blamed for it', async () => {
    await kontor.ask(api.saveRules, { params: { masterid }, body: [rule('Leer', all, [exclude])] });
    const asks = rule('Fragt', [when('_mapping:Stoffe', 'contains', 'Wolle')], [set('titel', 'x')]);
    const why = 'Keine Artikel erreichen die Regel: Die Master-Regeln schließen vorher alle aus.';
    expect(await check([asks], exportid)).toEqual([['Fragt', 'never_holds', why, undefined]]);
    const body = { rules: [{ ...asks, id: 'Andere0001' }, asks], data: asks.id };
    const { reason } = await kontor.ask(api.ruleEffect, { params: { masterid: exportid }, body });
    expect(reason).toBe(why);
    await kontor.ask(api.saveRules, { params: { masterid }, body: [] });
  });

  it('contradiction within a rule, also a paused one', async () => {
    const querys = [
      when('preis', 'is_greater_than', '5'),
      when('titel', 'is_not_empty'),
      when('preis', 'is_less_than', '3,00'),
    ];
    expect(await check([rule('Nie', querys, [exclude], { active: false })])).toEqual([
      [
        'Nie',
        'contradiction',
        'Die Regel kann nie zutreffen, denn zwei Bedingungen schließen einander aus: preis ist größer als 5 und preis ist kleiner als 3,00.',
        undefined,
      ],
    ]);
  });

  it('contradiction between rules that set one field of the same items differently', async () => {
    const one = rule('Teuer', [when('preis', 'is_greater_than', '9')], [set('klasse', 'A')]);
    const other = rule('Bosch', [when('marke', 'is_not_equal', 'fjord')], [set('klasse', 'B')]);
    expect(await check([one, other])).toEqual([
      [
        'Bosch',
        'contradiction',
        'Regel „Teuer“ setzt auf 2 Artikeln dasselbe Feld klasse auf „A“, diese Regel danach auf „B“.',
        'Teuer',
      ],
    ]);
  });
});
