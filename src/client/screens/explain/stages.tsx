import IconArrowsLeftRight from 'virtual:icons/arrows-left-right';
import IconDatabaseImport from 'virtual:icons/database-import';
import IconFileExport from 'virtual:icons/file-export';
import IconListCheck from 'virtual:icons/list-check';
import IconPackages from 'virtual:icons/packages';
import IconTable from 'virtual:icons/table';
import type { IconComponent } from '#client/ui/icons/icon.tsx';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type { ExplainedRow, ExplainedTable, Explanation } from '#shared/explain/schema.ts';
import { pages } from '#shared/pages.ts';
import { pathTo } from '#client/address.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { PriorityBadge } from '#client/fields/priority.tsx';
import { Badge } from '#client/ui/badge.tsx';
import { formatCount, formatTime } from '#client/ui/text/formats.ts';
import classes from './stages.module.css';
import answerClasses from './answer.module.css';
import ruleCardClasses from './rule-card.module.css';
import type { ExplainQuery } from './explain-query.ts';
import { RuleSteps } from './rule-steps.tsx';
import { type StageOf, stageOf } from './steps.ts';
import { TableCard } from './table-card.tsx';
import { ValueText } from './value-text.tsx';

type StagesProps = { explanation: Explanation; masterid: string; query: ExplainQuery };

/** The item's path from top to bottom: import, rules, construction, file. */
export function Stages({ explanation, masterid, query }: StagesProps) {
  const { exportId, field } = query;
  const [imported, master, own] = [
    stageOf(explanation, 'import'),
    stageOf(explanation, 'masterRules'),
    stageOf(explanation, 'exportRules'),
  ];
  const construction = stageOf(explanation, 'construction');
  const excludedBy = explanation.excludedBy;
  return (
    <section aria-labelledby="weg">
      <h2 id="weg" className={classes.title}>
        {field === null ? 'Weg des Artikels' : `Weg von ${field}`}
      </h2>
      <ol className={classes.stages}>
        {imported !== undefined && (
          <ImportStage stage={imported} explanation={explanation} masterid={masterid} field={field} />
        )}
        {master !== undefined && (
          <Stage
            id="stufe-master"
            icon={IconListCheck}
            title="Master-Regeln"
            to={pathTo(pages.masterRules, { masterid })}
            note={master.revision > 0 ? `Stand ${master.revision} der Regeln` : undefined}
          >
            <RuleSteps rules={master.rules} field={field} masterid={masterid} exportId={exportId} />
          </Stage>
        )}
        {stageOf(explanation, 'mappings') !== undefined && (
          <TablesStage id="stufe-mappings" title="Mappings" tables={stageOf(explanation, 'mappings')?.tables ?? []} />
        )}
        <StockStage explanation={explanation} masterid={masterid} field={field} />
        {own !== undefined && exportId !== null && (
          <Stage
            id="stufe-export"
            icon={IconListCheck}
            title="Export-Regeln"
            to={pathTo(pages.exportRules, { id: exportId })}
            note={
              excludedBy?.scope === 'master'
                ? 'nicht erreicht'
                : own.revision > 0
                  ? `Stand ${own.revision} der Regeln`
                  : undefined
            }
            quiet={excludedBy?.scope === 'master'}
          >
            <RuleSteps rules={own.rules} field={field} masterid={masterid} exportId={exportId} />
          </Stage>
        )}
        {stageOf(explanation, 'tables') !== undefined && (
          <TablesStage
            id="stufe-zuordnungen"
            title="Kategorien, Marken, Farben"
            tables={stageOf(explanation, 'tables')?.tables ?? []}
          />
        )}
        {construction !== undefined && exportId !== null && (
          <ConstructionStage stage={construction} explanation={explanation} masterid={masterid} query={query} />
        )}
      </ol>
    </section>
  );
}

type StageProps = {
  id: string;
  icon: IconComponent;
  title: string;
  /** Address of the editor for this stage's input. */
  to?: string | undefined;
  note?: string | undefined;
  quiet?: boolean;
  children: ReactNode;
};

function Stage({ id, icon: Icon, title, to, note, quiet = false, children }: StageProps) {
  return (
    <li id={id} className={classes.stage} data-quiet={quiet || undefined}>
      <span className={classes.dot}>
        <Icon size={18} stroke={1.8} aria-hidden />
      </span>
      <div className={classes.stageHead}>
        <h3>{to === undefined ? title : <Link to={to}>{title}</Link>}</h3>
        {note !== undefined && <span className="k-muted k-small">{note}</span>}
      </div>
      <div className={classes.stageBody}>{children}</div>
    </li>
  );
}

type ImportStageProps = {
  stage: StageOf<'import'>;
  explanation: Explanation;
  masterid: string;
  field: string | null;
};

function ImportStage({ stage, explanation, masterid, field }: ImportStageProps) {
  const { snapshot, item } = explanation;
  const shown = field === null ? [] : stage.values.filter(({ concerns }) => concerns);
  const filled = stage.values.filter(({ value }) => value !== null).length;
  return (
    <Stage
      id="stufe-import"
      icon={IconDatabaseImport}
      title="Import"
      to={snapshot.live ? pathTo(pages.item, { masterid, itemid: item.id }) : undefined}
      note={`Stand ${snapshot.number} vom ${formatTime(snapshot.importedAt)}${snapshot.live ? '' : ', nicht mehr der aktuelle'}`}
    >
      {field === null ? (
        <p className="k-muted">
          {formatCount(stage.values.length, 'Feld', 'Felder')}, davon {filled} gefüllt. Alle Rohwerte stehen in der
          Tabelle unten.
        </p>
      ) : shown.length === 0 ? (
        <p className="k-muted">Kein Rohwert ist beteiligt.</p>
      ) : (
        <Pairs pairs={shown.map(({ field: name, value }) => ({ name, value }))} />
      )}
    </Stage>
  );
}

type StockStageProps = { explanation: Explanation; masterid: string; field: string | null };

/** The stock that the channel is offered; the stock screen explains the number. */
function StockStage({ explanation, masterid, field }: StockStageProps) {
  const stage = stageOf(explanation, 'stock');
  if (stage === undefined) return null;
  const { name, value, concerns } = stage;
  const address = new URLSearchParams({ katalog: masterid, suche: explanation.item.id });
  return (
    <Stage
      id="stufe-bestand"
      icon={IconPackages}
      title="Bestand"
      to={`${pathTo(pages.stock, {})}?${address}`}
      note="von Kontor berechnet"
    >
      {field !== null && !concerns ? (
        <p className="k-muted">Nicht an diesem Feld beteiligt.</p>
      ) : (
        <Pairs pairs={[{ name, value }]} />
      )}
    </Stage>
  );
}

function Pairs({ pairs }: { pairs: readonly { name: string; value: string | null }[] }) {
  return (
    <dl className={classes.pairs}>
      {pairs.map(({ name, value }, index) => (
        <div key={index}>
          <dt>{name}</dt>
          <dd>
            <ValueText text={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** Mappings or tables of the export; if one field is explained, only those that contribute to it. */
function TablesStage({ id, title, tables }: { id: string; title: string; tables: readonly ExplainedTable[] }) {
  const shown = tables.filter(({ concerns }) => concerns);
  const hidden = tables.length - shown.length;
  return (
    <Stage id={id} icon={IconArrowsLeftRight} title={title}>
      {shown.map((table) => (
        <TableCard key={table.name} table={table} />
      ))}
      {hidden > 0 && <p className="k-muted k-small">{hidden} ohne Anteil an diesem Feld</p>}
    </Stage>
  );
}

type ConstructionStageProps = { stage: StageOf<'construction'> } & StagesProps;

function ConstructionStage({ stage, explanation, masterid, query }: ConstructionStageProps) {
  const { item, export: exported } = explanation;
  const rows = stage.rows.filter(({ concerns }) => concerns);
  const missing = stage.rows.filter((row) => row.missing);
  return (
    <>
      <Stage
        id="stufe-feldaufbau"
        icon={IconTable}
        title="Feldaufbau"
        to={pathTo(pages.construction, { id: query.exportId ?? '' })}
        quiet={!stage.reached}
        note={
          !stage.reached
            ? 'nicht erreicht'
            : stage.passThrough
              ? 'leer: alle Felder unter eigenem Namen'
              : `Stand ${stage.revision}`
        }
      >
        {!stage.reached && <p className="k-muted">Der Artikel ist vorher ausgeschlossen.</p>}
        {stage.reached && query.field === null && (
          <p className="k-muted">
            {formatCount(stage.rows.length, 'Feld', 'Felder')} des Exports, in der Tabelle unten.
          </p>
        )}
        {query.field !== null && rows.map((row) => <ConstructionRow key={row.rowId} row={row} />)}
        {query.field !== null && stage.reached && rows.length === 0 && (
          <p className="k-muted">{query.field} ist kein Feld des Exports.</p>
        )}
        {query.field === null && missing.length > 0 && (
          <div className={classes.missing}>
            <p className="k-strong">
              {missing.length === 1 ? 'Ein Pflichtfeld ist leer:' : `${missing.length} Pflichtfelder sind leer:`}
            </p>
            <ul>
              {missing.map(({ rowId, name }) => (
                <li key={rowId}>
                  <Link to={explainPath(masterid, item.id, { ...query, field: name })} preventScrollReset>
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          </div>
        )}
      </Stage>
      <Stage id="stufe-datei" icon={IconFileExport} title={`Export ${exported?.name ?? ''}`} quiet={!stage.reached}>
        {!stage.reached ? (
          <p className="k-muted">Hier kommt der Artikel nicht an.</p>
        ) : query.field === null || rows.length === 0 ? (
          <p>Der Artikel wird ausgegeben.</p>
        ) : (
          <Pairs pairs={rows.map(({ name, written }) => ({ name, value: written }))} />
        )}
      </Stage>
    </>
  );
}

/** The sources of an export field. */
function ConstructionRow({ row }: { row: ExplainedRow }) {
  const { name, parts, value, written, requirement, missing } = row;
  return (
    <div className={ruleCardClasses.rule} data-excluded={missing || undefined}>
      <div className={ruleCardClasses.ruleHead}>
        <span className={ruleCardClasses.ruleName}>{name}</span>
        {requirement !== '' && <PriorityBadge value={requirement} />}
        {missing && <Badge tone="red">Pflichtfeld ohne Wert</Badge>}
      </div>
      {parts.length === 0 && <p className="k-muted">Keine Quelle gewählt.</p>}
      <div className={classes.parts}>
        {parts.map((part, index) => (
          <span key={index} className={classes.part}>
            <span className={answerClasses.stopField}>
              {part.field === null ? 'fester Text' : part.field === '_id' ? 'Artikelnummer' : part.field}
            </span>
            <ValueText text={part.value} />
          </span>
        ))}
      </div>
      {written !== value && (
        <p className="k-muted k-small">
          In der Schreibweise der Datei: <ValueText text={written} />
        </p>
      )}
    </div>
  );
}
