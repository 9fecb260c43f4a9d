import IconArrowRight from 'virtual:icons/arrow-right';
import IconCircleCheck from 'virtual:icons/circle-check';
import IconCircleX from 'virtual:icons/circle-x';
import IconInfoCircle from 'virtual:icons/info-circle';
import IconPlus from 'virtual:icons/plus';
import { Link } from 'react-router';
import type { CauseKind, ExplainedFile, Explanation } from '#shared/explain/schema.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { formatTime } from '#client/ui/text/formats.ts';
import { ScrollRegion } from '#client/ui/scroll-region.tsx';
import classes from './answer.module.css';
import valueTextClasses from './value-text.module.css';
import type { ExplainQuery } from './explain-query.ts';
import { ItemExports } from '#client/fields/item-exports.tsx';
import { type Station, stationsOf } from './steps.ts';
import { ValueText } from './value-text.tsx';

type AnswerProps = { explanation: Explanation; masterid: string; query: ExplainQuery };

/** The answer in a sentence, a picture of the value's path, and the item's state in the file. */
export function Answer({ explanation, masterid, query }: AnswerProps) {
  const { answer, reason, inExport, excludedBy, fileNote, file, item, run, present, lastSeen } = explanation;
  const stations = excludedBy === null ? stationsOf(explanation) : [];
  const differences = (file?.differences ?? []).filter(({ name }) => query.field === null || name === query.field);
  // If one field is explained, the file is mentioned only if it contains another value of it.
  const hasNote =
    fileNote !== null && (answer === null || !inExport || file?.present === false || differences.length > 0);
  const tone = !inExport ? 'bad' : answer === null ? 'good' : 'info';
  const Icon = { bad: IconCircleX, good: IconCircleCheck, info: IconInfoCircle }[tone];
  return (
    <section className={classes.answer} data-tone={tone} aria-labelledby="antwort">
      <h2 id="antwort" className="k-hidden">
        Antwort
      </h2>
      <div className={classes.sentence}>
        <Icon size={26} stroke={1.8} className={classes.tone} aria-hidden />
        <div role="status">
          {(answer === null || !inExport) && <p className={classes.main}>{reason}</p>}
          {answer !== null && <p className={inExport ? classes.main : undefined}>{answer}</p>}
          {!present && lastSeen !== null && query.exportId !== null && (
            <p className="k-muted">
              Unter „Stand“ können Sie einen früheren Lauf wählen, in dem er noch enthalten war.
            </p>
          )}
          {hasNote && <p className="k-muted">{fileNote}</p>}
        </div>
      </div>
      {stations.length > 1 && <ValueWay stations={stations} />}
      {file !== null && differences.length > 0 && (
        <FileDifferences
          file={{ ...file, differences }}
          isPast={run !== null}
          masterid={masterid}
          itemid={item.id}
          query={query}
        />
      )}
      {query.exportId === null && (
        <div className="k-stack" style={{ gap: 6 }}>
          <h3 className={classes.small}>In Ihren Exporten</h3>
          <ItemExports key={item.id} masterid={masterid} itemid={item.id} />
        </div>
      )}
    </section>
  );
}

/** Every station of the value, left to right; each leads to its card below. */
function ValueWay({ stations }: { stations: readonly Station[] }) {
  return (
    <ol className={classes.way} aria-label="Weg des Werts">
      {stations.map(({ key, anchor, title, field, value, failed, source }, index) => {
        // Raw values are side by side; every other station is computed from those before it.
        const Join = source ? IconPlus : IconArrowRight;
        return (
          <li key={key} className={classes.station}>
            {index > 0 && <Join size={18} className={valueTextClasses.arrow} aria-hidden />}
            <a href={`#${anchor}`} className={classes.stop}>
              <span className={classes.stopTitle}>{title}</span>
              <span className={classes.stopValue}>{failed ? 'nicht berechenbar' : <ValueText text={value} />}</span>
              <span className={classes.stopField}>{field}</span>
            </a>
          </li>
        );
      })}
    </ol>
  );
}

const causeWords: Record<CauseKind, string> = {
  import: 'Import',
  masterRules: 'Master-Regeln',
  mappings: 'Mappings',
  stock: 'Bestand',
  exportRules: 'Export-Regeln',
  tables: 'Kategorien, Marken, Farben',
  construction: 'Feldaufbau',
  attributes: 'Attribute',
  settings: 'Einstellungen',
};

type FileDifferencesProps = {
  file: ExplainedFile;
  isPast: boolean;
  masterid: string;
  itemid: string;
  query: ExplainQuery;
};

/** Values that differ in the file, and which of the later changes caused that. */
function FileDifferences({ file, isPast, masterid, itemid, query }: FileDifferencesProps) {
  const title = `Unterschiede zur Datei vom ${formatTime(file.createdAt)}`;
  return (
    <div className="k-stack" style={{ gap: 6 }}>
      <div className="k-between">
        <h3 className={classes.small}>{title}</h3>
        {!isPast && (
          <Link to={explainPath(masterid, itemid, { ...query, runid: file.runid })} preventScrollReset>
            Diesen Lauf erklären
          </Link>
        )}
      </div>
      <ScrollRegion label={title} className={classes.differences}>
        <table className="k-table">
          <thead>
            <tr>
              <th scope="col">Feld</th>
              <th scope="col">In der Datei</th>
              <th scope="col">{isPast ? 'Nachgerechnet' : 'Jetzt'}</th>
              {!isPast && <th scope="col">Ursache</th>}
            </tr>
          </thead>
          <tbody>
            {file.differences.map((difference, index) => (
              <tr key={index}>
                <td>{difference.name}</td>
                <td>
                  <ValueText text={difference.file} />
                </td>
                <td>
                  <ValueText text={difference.now} />
                </td>
                {!isPast && (
                  <td>
                    {difference.causes.length === 0
                      ? 'mehrere Änderungen zusammen'
                      : difference.causes.map((kind) => causeWords[kind]).join(' und ')}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  );
}
