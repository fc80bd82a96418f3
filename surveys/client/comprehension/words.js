import {wordsOf} from '../words.js';

export const words = wordsOf(`
title|One question about the disguise|一个关于伪装的问题
note|You may try it as often as you like, or leave it out and continue. Nobody learns what you press: nothing of this page is sent or kept.|您可以试任意多次，也可以跳过并继续。没有人会知道您按了什么：此页的内容不会发送，也不会保存。
take|Take this question of the survey:|以本调查中的这个问题为例：
ask|A person’s device has disguised the answer and sent it. The site has stored “{stored}”. Does the site know that this person would say “{stored}”?|某人的设备伪装了回答并发送。网站存储的是“{stored}”。网站知道这个人会回答“{stored}”吗？
right|That is right.|正确。
wrong|No, it does not. You may try again.|不，它不知道。您可以再试一次。
why|Of {of} people who would say something else, the site stores about {some} as “{stored}”. So nobody who sees it alone can be sure.|在 {of} 个会作其他回答的人中，网站约将 {some} 人也存为“{stored}”。因此，只看到它的人都无法确定。
open|But a stored “{stored}” is true here: that answer is not hidden.|但此处所存的“{stored}”是真实的：该回答不被隐藏。
`);
