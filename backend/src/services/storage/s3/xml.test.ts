import { describe, expect, test } from 'vitest'
import { childrenOf, readXml, textOf, writeXml } from './xml.ts'

describe('XML', () => {
  test('is written with what text may not hold replaced', () => {
    expect(writeXml('A', { B: ['1 < 2', 'x & "y"'], C: undefined, D: { E: true } }, 'urn:x')).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><A xmlns="urn:x"><B>1 &lt; 2</B><B>x &amp; &quot;y&quot;</B><D><E>true</E></D></A>')
    expect(writeXml('A', { B: 'a\u0000\u001b\ntab\t' })).toContain('<B>a\ufffd\ufffd\ntab\t</B>')
  })

  test('is read with namespaces, comments, references and character data', () => {
    const root = readXml('<?xml version="1.0"?><!-- hi --><s:Delete xmlns:s="urn:x" a=\'b\'><s:Object><Key>a &amp; b&#x20;&lt;c&gt;</Key></s:Object><Object><Key><![CDATA[<d>&]]></Key></Object><Quiet/></s:Delete>')
    expect(root.name).toBe('Delete')
    expect(childrenOf(root, 'Object').map((object) => textOf(object, 'Key'))).toEqual(['a & b <c>', '<d>&'])
    expect(textOf(root, 'Quiet')).toBe('')
  })

  test.each([
    ['a document type, so that no entity is ever made', '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'],
    ['an unknown entity', '<a>&xxe;</a>'],
    ['a bare ampersand', '<a>b & c</a>'],
    ['a reference to no character', '<a>&#x110000;</a>'],
    ['an element that is not closed', '<a><b></a>'],
    ['two roots', '<a/><b/>'],
    ['text beside the root', '<a/>b'],
    ['nothing', ''],
    ['nesting without end', '<a>'.repeat(1000)],
    ['an attribute without quotes', '<a b=c/>'],
  ])('is refused with %s', (_, text) => {
    expect(() => readXml(text)).toThrow(expect.objectContaining({ code: 'MalformedXML' }))
  })
})
