import { Button, SegmentedControl } from '@mantine/core';
import IconDownload from 'virtual:icons/download';
import { useId, useState } from 'react';
import { downloadFile } from '#client/csv-download.ts';
import classes from './list-tools.module.css';
import type { ArticlesOf } from '#client/screens/repricer/dashboard/dashboard-query.ts';
import { SearchField } from '#client/ui/form/search-field.tsx';
import { articleCsv } from './article-csv.ts';
import type { ArticleQuery, BoxFilter } from '#client/screens/repricer/dashboard/articles/selection/article-query.ts';
import type { ArticleRows } from '#client/screens/repricer/dashboard/articles/loading/article-rows.ts';

type ListToolsProps = {
  query: ArticleQuery;
  onQuery: (changed: Partial<ArticleQuery>) => void;
  rows: ArticleRows;
  places: Uint32Array;
  /** The whole list is loaded. */
  complete: boolean;
  of: ArticlesOf;
};

/** Search, filters, and the CSV file of the filtered articles. */
export function ListTools({ query, onQuery, rows, places, complete, of }: ListToolsProps) {
  return (
    <div className={`k-screen ${classes.tools}`}>
      <SearchField
        label="In allen Feldern suchen"
        search={query.search}
        onSearch={(search) => onQuery({ search, opened: '' })}
      />
      <BoxChoice label="Eigene Buybox" value={query.ownBox} onChange={(ownBox) => onQuery({ ownBox, opened: '' })} />
      <BoxChoice
        label="Gegner Buybox"
        value={query.rivalBox}
        onChange={(rivalBox) => onQuery({ rivalBox, opened: '' })}
      />
      <CsvButton rows={rows} places={places} complete={complete} name={fileName(of)} />
    </div>
  );
}

const boxChoices: readonly { value: BoxFilter; label: string }[] = [
  { value: 'all', label: 'Alle' },
  { value: 'yes', label: 'JA' },
  { value: 'no', label: 'NEIN' },
];

function BoxChoice({
  label,
  value,
  onChange,
}: {
  label: string;
  value: BoxFilter;
  onChange: (value: BoxFilter) => void;
}) {
  const id = useId();
  return (
    <div className={classes.choice}>
      <span id={id} className="k-small">
        {label}
      </span>
      <SegmentedControl
        size="xs"
        aria-labelledby={id}
        value={value}
        onChange={(chosen) => onChange(boxChoices.find((choice) => choice.value === chosen)?.value ?? 'all')}
        data={[...boxChoices]}
      />
    </div>
  );
}

type CsvButtonProps = { rows: ArticleRows; places: Uint32Array; complete: boolean; name: string };

function CsvButton({ rows, places, complete, name }: CsvButtonProps) {
  const [busy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    const parts = await articleCsv(rows, places, new AbortController().signal);
    downloadFile(name, new Blob(parts, { type: 'text/csv;charset=utf-8' }));
    setBusy(false);
  };
  return (
    <Button
      className={classes.csv}
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} aria-hidden />}
      disabled={places.length === 0 || !complete}
      loading={busy}
      title={complete ? 'Alle Zeilen, die zu Suche und Filtern passen' : 'Erst wenn alles geladen ist'}
      onClick={() => void download()}
    >
      Als CSV exportieren
    </Button>
  );
}

function fileName(of: ArticlesOf): string {
  if (of.kind === 'all') return 'Artikelliste.csv';
  return of.kind === 'rank' ? `Artikeldaten Rang ${of.rank}.csv` : `Artikeldaten ${of.id}.csv`;
}
