import t from 'tap'
import { type Diagram, drawDiagram } from '../../../dev/diagrams/draw.ts'

const DIAGRAM: Diagram = {
  width: 300,
  height: 100,
  description: 'A & B',
  boxes: {
    a: { x: 0, y: 0, width: 100, height: 40, title: 'a < b' },
    b: { x: 200, y: 0, width: 100, height: 40, title: 'b', lines: ['line'] },
  },
  arrows: [{ from: 'a', to: 'b', label: 'to' }],
}

t.test('an arrow joins the sides that face each other', async (t) => {
  const svg = drawDiagram(DIAGRAM)
  t.match(svg, 'd="M100 20L200 20"')
  t.match(svg, 'a &lt; b')
  t.match(svg, '<title>A &amp; B</title>')
})

t.test('an arrow goes back, down and around', async (t) => {
  const back = drawDiagram({ ...DIAGRAM, arrows: [{ from: 'b', to: 'a', leaves: 0.25 }] })
  t.match(back, 'd="M200 10L100 20"')
  const around = drawDiagram({
    ...DIAGRAM,
    arrows: [
      {
        from: 'a',
        to: 'b',
        via: [
          [50, 90],
          [250, 90],
        ],
      },
    ],
  })
  t.match(around, 'd="M50 40L50 90L250 90L250 40"')
})

t.test('an arrow without its box is an error', async (t) => {
  t.throws(() => drawDiagram({ ...DIAGRAM, arrows: [{ from: 'a', to: 'c' }] }), /from a to c/)
})
