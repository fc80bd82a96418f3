import {wordsOf} from '../words.js';

export const words = wordsOf(`
note|Nothing on this page is sent or kept. Answer as often as you like, and see what would be stored.|此页的内容不会发送，也不会保存。您可以回答任意多次，看看会存储什么。
own|Your device draws with the chances of this survey’s own questions.|您的设备按本调查问题本身的概率随机抽取。
yesno|Did you eat breakfast today?|您今天吃早饭了吗？
choice|Which letter do you like best?|您最喜欢哪个字母？
several|Which letters do you like?|您喜欢哪些字母？
scale|How much do you like breakfast, from {min} to {max}?|您有多喜欢吃早饭？从 {min} 到 {max}。
matrix|How much do you like each letter?|每个字母您有多喜欢？
number|Any number from {min} to {max}, to try it|任意一个从 {min} 到 {max} 的数字，用于试验
place|Any place on the map, to try it|地图上任意一个地点，用于试验
draw|Show what would be stored|显示将存储的内容
stored|You said: {said}. The site would store: {stored}.|您的回答：{said}。网站将存储：{stored}。
none|nothing of it|没有与之有关的词
given|You say|您的回答
as|Stored as|存储为
times|Times|次数
done|Back to the first page|返回问卷
`);
