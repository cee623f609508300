import { expect } from 'chai';
import { findKind } from '../../src/model/kinds.ts';
import { readValues } from '../../src/questions/parameter.ts';
import { questions } from '../../src/questions/table.ts';

describe('the table of questions', () => {
  it('has no two questions of one name, operation or path', () => {
    for (const key of ['name', 'operationId', 'path'] as const) {
      const all = questions.map((each) => each[key]);
      expect(new Set(all).size, key).to.equal(all.length);
    }
  });

  it('begins with the questions of the interface', () => {
    const first = questions.findIndex(({ isInterface }) => !isInterface);
    expect(first).to.be.greaterThan(0);
    expect(questions.slice(first).filter(({ isInterface }) => isInterface)).to.deep.equal([]);
  });

  for (const question of questions) {
    const { name, path, parameters, summary, examples } = question;

    it(`describes \`${name}\`: a phrase, an example, and its parameters`, () => {
      expect(summary).to.match(/^[^A-Z].*[^.]$/);
      expect(examples).not.to.deep.equal([]);
      for (const [each, { description }] of Object.entries(parameters)) expect(description, each).to.match(/[^.]$/);
      const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameterName]) => parameterName);
      const declaredPlaces = Object.entries(parameters).filter(([, { isPathPart }]) => isPathPart);
      expect(declaredPlaces.map(([each]) => each)).to.deep.equal(places);
    });

    it(`reads kinds that exist for \`${name}\`, and has a default within the bounds of each parameter`, () => {
      const requiredValues = Object.fromEntries(
        Object.entries(parameters)
          .filter(([, { isRequired }]) => isRequired)
          .map(([each, { schema }]) => [each, String([schema.examples ?? schema.enum ?? 'x'].flat(2)[0])]),
      );
      if (name === 'compare') requiredValues.group = 'a,b';
      const { values, errors } = readValues(parameters, requiredValues);
      expect(errors).to.deep.equal([]);
      for (const kind of question.kindsRead(values)) expect(findKind(kind), kind).not.to.equal(null);
      for (const [each, { schema, fallback }] of Object.entries(parameters))
        if (schema.default !== undefined) expect(fallback, each).to.equal(schema.default);
    });

    if (question.answers === 'list' && question.fields !== undefined)
      it(`shows no column of \`${name}\` that is not described, but for those of flat rows`, () => {
        const { fields = [], columns, toRow } = question;
        const fieldNames = new Set(fields.map((field) => field.name));
        if (!toRow) expect(columns.filter((column) => !fieldNames.has(column))).to.deep.equal([]);
      });
  }
});
