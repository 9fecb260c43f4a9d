import { Button, Checkbox, TextInput } from '@mantine/core';
import IconChevronLeft from 'virtual:icons/chevron-left';
import IconChevronRight from 'virtual:icons/chevron-right';
import IconSearch from 'virtual:icons/search';
import IconZoomQuestion from 'virtual:icons/zoom-question';
import { useMemo, useState } from 'react';
import { Link } from 'react-router';
import type { api } from '#shared/http/api.ts';
import type { AnswerOf } from '#shared/http/call.ts';
import type { PictureMarks } from '#shared/items/schema.ts';
import { usePreference } from '#client/preferences.ts';
import { explainPath } from '#client/paths/explain-path.ts';
import { ExplainLink } from '#client/fields/explain-link.tsx';
import { ItemExports } from '#client/fields/item-exports.tsx';
import { PriceDetails } from '#client/fields/prices/price-details.tsx';
import { formatCount, formatInteger } from '#client/ui/text/formats.ts';
import { type CardField, chooseFields, groupFields, type Picture, picturesOf } from './card-fields.ts';
import { Addresses, KeyValues, Value } from './card-values.tsx';
import { ImageCell } from '#client/screens/items/image-cell.tsx';
import classes from '#client/screens/items/items.module.css';

type ItemCardProps = {
  masterid: string;
  card: AnswerOf<typeof api.item>;
  busy?: boolean;
  /** Shows only the fields: the item's page has separate cards for pictures and price. */
  onlyFields?: boolean;
  onClose: () => void;
  onPrevious?: () => void;
  onNext?: () => void;
};

const idTitle = 'Artikelnummer';

/** Every field of an item by its name. JSON values are shown as nested tables. */
export function ItemCard({ masterid, card, busy = false, onlyFields = false, ...steps }: ItemCardProps) {
  const { onClose, onPrevious, onNext } = steps;
  const { data, fields } = card;
  const itemid = data['_id'] ?? '';
  const [typed, setTyped] = useState('');
  const [filled, setFilled] = usePreference('cardFields');
  const onlyFilled = filled === 'filled';
  const guesses = useMemo(() => new Map(fields.map(({ name, guess }) => [name, guess])), [fields]);
  const all = fieldsOf(data);
  const shown = chooseFields(all, typed, onlyFilled);
  const groups = groupFields(shown, guesses);
  const buttons = (
    <div className="k-between">
      <div className="k-row">
        <Button
          variant="default"
          leftSection={<IconChevronLeft size={16} aria-hidden />}
          disabled={onPrevious === undefined}
          onClick={onPrevious}
        >
          Voriger
        </Button>
        <Button
          variant="default"
          rightSection={<IconChevronRight size={16} aria-hidden />}
          disabled={onNext === undefined}
          onClick={onNext}
        >
          Nächster
        </Button>
      </div>
      <Button variant="default" onClick={onClose}>
        Schließen
      </Button>
    </div>
  );
  return (
    <div className="k-stack">
      {buttons}
      <div className="k-renewing" aria-busy={busy}>
        <div className="k-stack">
          <Explaining key={`${masterid} ${itemid}`} masterid={masterid} itemid={itemid} />
          {!onlyFields && (
            <>
              <PriceDetails key={`${itemid} price`} masterid={masterid} itemid={itemid} />
              <Pictures pictures={picturesOf(all, guesses)} itemid={itemid} marks={card.pictures} />
            </>
          )}
          <FieldTools
            shown={shown.length}
            total={all.length}
            typed={typed}
            onType={setTyped}
            onlyFilled={onlyFilled}
            onOnlyFilled={(only) => setFilled(only ? 'filled' : '')}
          />
          {groups.map(({ title, fields: ofGroup }) => (
            <section key={title} aria-label={title}>
              {(groups.length > 1 || shown.length < all.length) && <h2 className={classes.groupTitle}>{title}</h2>}
              <KeyValues
                rows={ofGroup.map(({ name, value }) => ({
                  name,
                  tool: !Object.hasOwn(data, name) ? undefined : (
                    <ExplainLink to={explainPath(masterid, itemid, { field: name })} label={`Woher kommt ${name}?`} />
                  ),
                  value: guesses.get(name) === 'image' ? <Addresses value={value} /> : <Value text={value} />,
                }))}
              />
            </section>
          ))}
        </div>
      </div>
      {buttons}
    </div>
  );
}

/** Links to the explanation of the item's values, and lists on request which exports contain it. */
function Explaining({ masterid, itemid }: { masterid: string; itemid: string }) {
  const [opened, setOpened] = useState(false);
  return (
    <div className={classes.explaining}>
      <Button
        component={Link}
        to={explainPath(masterid, itemid)}
        leftSection={<IconZoomQuestion size={16} aria-hidden />}
      >
        Erklären
      </Button>
      <details onToggle={({ currentTarget }) => currentTarget.open && setOpened(true)}>
        <summary>Warum nicht im Export?</summary>
        {opened && <ItemExports masterid={masterid} itemid={itemid} />}
      </details>
    </div>
  );
}

type PicturesProps = { pictures: readonly Picture[]; itemid: string; marks: PictureMarks };

/** Every picture of the item, each leading to its full size. */
function Pictures({ pictures, itemid, marks }: PicturesProps) {
  if (pictures.length === 0) return null;
  return (
    <ul className={classes.pictures} aria-label="Bilder">
      {pictures.map(({ address, name }, index) => (
        <li key={address}>
          <a href={address} target="_blank" rel="noreferrer" title={name}>
            <ImageCell marks={marks} url={address} name={`Bild ${index + 1} zu ${itemid}`} />
          </a>
        </li>
      ))}
    </ul>
  );
}

type FieldToolsProps = {
  shown: number;
  total: number;
  typed: string;
  onType: (typed: string) => void;
  onlyFilled: boolean;
  onOnlyFilled: (only: boolean) => void;
};

/** Finds a field among many; the search text stays when moving from item to item. */
function FieldTools({ shown, total, typed, onType, onlyFilled, onOnlyFilled }: FieldToolsProps) {
  return (
    <div className={classes.fieldTools}>
      <TextInput
        type="search"
        aria-label="Felder filtern"
        placeholder="Feld oder Wert suchen"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={typed}
        onChange={({ currentTarget }) => onType(currentTarget.value)}
      />
      <Checkbox
        label="nur gefüllte"
        checked={onlyFilled}
        onChange={({ currentTarget }) => onOnlyFilled(currentTarget.checked)}
      />
      <span className="k-muted k-small" role="status">
        {shown === total
          ? formatCount(total, 'Feld', 'Felder')
          : `${formatInteger(shown)} von ${formatCount(total, 'Feld', 'Feldern')}`}
      </span>
    </div>
  );
}

/** Returns the fields with the item number first, unless its source field has the same title. */
function fieldsOf(data: Readonly<Record<string, string | null>>): CardField[] {
  const twice = data[idTitle] === data['_id'];
  return Object.entries(data)
    .filter(([name]) => name !== '_id' || !twice)
    .map(([name, value]) => ({ name: name === '_id' ? idTitle : name, value }));
}
