import { Button, Modal, Switch } from '@mantine/core';
import { useState } from 'react';
import { api } from '#shared/http/api.ts';
import { type AttributeField, isBlank } from '#shared/attributes/schema.ts';
import type { SourcePart } from '#shared/construction/schema.ts';
import { call } from '#client/call.ts';
import { type Failure, failureOf } from '#client/failure.ts';
import { PartsEditor } from '#client/fields/values/parts-editor.tsx';
import { PriorityBadge } from '#client/fields/priority.tsx';
import { operandOf, partOfOperand } from '#client/fields/values/references.ts';
import { ErrorNotice } from '#client/ui/error-notice.tsx';
import { showSaved } from '#client/ui/notices.tsx';
import { type AttributesQuery, pageSize } from './attributes-query.ts';
import classes from './attributes.module.css';

type AttributeModalProps = {
  exportId: string;
  field: AttributeField;
  query: AttributesQuery;
  /** The selected items; '' if the address names a category that the export does not have. */
  selector: string;
  /** Which items, for people. */
  where: string;
  onClose: () => void;
  onSaved: () => void;
};

const emptyText: SourcePart = { type: '_string', value: '', caption: '' };
/** More values than fit on a screen are found by typing the first letters into the value. */
const shownEnums = 200;

/** ATT-02: what a field is, and its value for the selected items. */
export function AttributeModal({ exportId, field, query, selector, where, onClose, onSaved }: AttributeModalProps) {
  const [parts, setParts] = useState<SourcePart[]>(field.field.length > 0 ? field.field : [emptyText]);
  const [variant, setVariant] = useState(field.variants);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const value = parts.map(oneLine);

  const save = async () => {
    if (selector === '') {
      setFailure({ title: 'Fehler beim Speichern', message: 'Bitte wählen Sie zuerst eine Kategorie.', requestId: '' });
      return;
    }
    setBusy(true);
    setFailure(null);
    try {
      const { page, typ: type } = query;
      const body = {
        id: exportId,
        pageLimit: pageSize,
        page,
        target: field.exportfield,
        selector,
        variant,
        value,
        type,
      };
      await call(api.setAttribute, { body });
      showSaved('Gespeichert');
      onSaved();
    } catch (error) {
      setFailure(failureOf('Fehler beim Speichern', error));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Modal opened onClose={onClose} size={640} title={<span className="k-strong">{field.title}</span>}>
      <div className="k-stack">
        <div className="k-row">
          <PriorityBadge value={field.mp_state} />
          {field.title !== field.exportfield && <code>{field.exportfield}</code>}
        </div>
        {field.description !== '' && <p className={classes.description}>{field.description}</p>}
        {field.examples.length > 0 && (
          <p>
            <span className="k-strong">Beispiel:</span> {field.examples.join(' · ')}
          </p>
        )}
        <ErrorNotice failure={failure} onClose={() => setFailure(null)} />
        <section className="k-stack" aria-labelledby="attribut-wert">
          <h3 id="attribut-wert">Attribut-Wert:</h3>
          <p className="k-muted">
            Gilt für {where}. {field.inherited !== '' && `Ohne eigenen Wert gilt: ${field.inherited}.`}{' '}
            {isBlank({ value }) && field.field.length > 0 ? 'Leer gespeichert, wird der Wert entfernt.' : ''}
          </p>
          <PartsEditor
            label="Attribut-Wert"
            parts={parts.map(operandOf)}
            onChange={(next) => setParts(next.map(partOfOperand))}
          />
        </section>
        {field.is_variant_attribute && (
          <Switch
            label="Als Variantenattribut benutzen"
            description="Die Varianten eines Produkts unterscheiden sich in diesem Feld."
            checked={variant}
            onChange={({ currentTarget }) => setVariant(currentTarget.checked)}
          />
        )}
        {field.enums.length > 0 && (
          <section className="k-stack" aria-labelledby="attribut-werte">
            <h3 id="attribut-werte">Mögliche Werte:</h3>
            <ul className={classes.enums}>
              {field.enums.slice(0, shownEnums).map((one) => (
                <li key={one}>
                  <Button
                    size="xs"
                    variant={parts.length === 1 && parts[0]?.value === one ? 'filled' : 'default'}
                    onClick={() => setParts([{ ...emptyText, value: one }])}
                  >
                    {one}
                  </Button>
                </li>
              ))}
            </ul>
            {field.enums.length > shownEnums && (
              <p className="k-muted">… und {field.enums.length - shownEnums} weitere</p>
            )}
          </section>
        )}
        <div className="k-row" style={{ justifyContent: 'flex-end' }}>
          <Button variant="default" onClick={onClose}>
            Schließen
          </Button>
          <Button loading={busy} onClick={() => void save()}>
            Übernehmen
          </Button>
        </div>
      </div>
    </Modal>
  );
}

/** ATT-02: line breaks are taken out of fixed texts. */
function oneLine(part: SourcePart): SourcePart {
  return part.type === '_string' ? { ...part, value: part.value.replaceAll(/[\r\n]+/g, ' ') } : part;
}
